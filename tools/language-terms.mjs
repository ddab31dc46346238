// The terms that the project replaced, with the term to use instead. tools/language.mjs refuses new uses.

/**
 * @typedef {object} Term
 * @property {string} term as it is counted in tools/language-baseline.json
 * @property {string} use the replacement
 * @property {RegExp} [name] matches an identifier or file name, written in lower case with `-` between its parts
 * @property {RegExp} [prose] matches comments, strings, test titles and documents
 */

/** Matches one part, or several neighbouring parts, of a name. */
const part = (pattern) => new RegExp(`(?<![a-z0-9])(?:${pattern})(?![a-z0-9])`)
/** Matches a phrase in a sentence. */
const phrase = (pattern) => new RegExp(`(?<![\\w-])(?:${pattern.replaceAll(' ', '\\s+')})(?![\\w-])`, 'gi')

/** Words that may stand before a noun. */
const determiner =
  '(?:an?|the|its|his|her|their|our|your|this|that|these|those|each|every|all|no|any|one|own|same|of|with|without|whose)'
/** People, before a clause with “who”. */
const person =
  '(?:users?|people|persons?|those|anyone|anybody|everyone|everybody|someone|somebody|nobody|members?|visitors?|readers?|viewers?|administrators?|authors?|owners?|editors?|caller|one|she|he),?'

/** @type {readonly Term[]} */
export const terms = [
  {
    term: 'moment',
    use: 'time, occurrence, “when …”',
    prose: phrase('the moment (?:when|at which|that|of|an?|the)|moments? missed|moments? (?:when|at which)'),
  },
  {
    term: 'idiom',
    use: 'half of a surrogate pair, through, permanently, “most recently used first”, “at most 100”',
    prose: phrase('half (?:of )?a surrogate(?! pair)|by way of|last used first|deleted? (?:\\w+ )*for good'),
  },
  {
    term: 'Most, Longest, Largest (as a maximum)',
    use: 'Maximum number of …, Maximum length of …, Maximum size of … (in bytes, in ms)',
    prose: /\/\*\* (?:Most|Longest|Largest|Shortest|Fewest) [a-z]/g,
  },
  { term: 'also if', use: 'even if, even when', prose: /, also (?:if|when|where|while)\b/g },
  {
    term: '= in a sentence',
    use: '“null means no limit”, “Default: all.”, “empty if there is none”',
    prose: /[;,] (?:null|undefined|absent|empty) = (?=[a-z])/g,
  },
  {
    term: 'question, ask',
    use: 'query, request',
    name: part('questions?|ask|asks|asking'),
    prose: phrase(
      'questions?(?! marks?)|asks? (?:for(?! confirmation)|of|about)|asks? (?:the|a|an) (?:server|engine|database|store|service|queue|cache)',
    ),
  },
  {
    term: 'answer',
    use: 'response, result (“responds”, “returns”)',
    name: part('answers?|answered|answering'),
    prose: phrase(`${determiner} (?:answers?|\\w+ answer)|answers of|(?:is|are|was|were|be) answered`),
  },
  {
    term: 'asked',
    use: 'requested, queried, called',
    name: part('asked|unasked'),
    prose: phrase(
      'asked (?:for|of|about|again|at|in|with|by)|(?:what|that|which|as|the|they|it) (?:(?:is|are|was|were) )?asked(?! to| whether| if)',
    ),
  },
  {
    term: 'shown',
    use: 'visible',
    name: part('shown'),
    prose: phrase(`(?:the|each|every|all|no) shown|what (?:is|was|are) shown`),
  },
  {
    term: 'found',
    use: 'matching, matches',
    name: /(?<![a-z0-9]|not-|nothing-)found(?![a-z0-9])/,
    prose: phrase('(?:the|each|every|all) found|what (?:is|was|are) found'),
  },
  {
    term: 'kept',
    use: 'saved, retained, stored',
    name: part('kept'),
    prose: phrase(
      '(?:is|are|was|were|be|been|being|and|but|not) kept(?! (?:sorted|apart|open|alive|small|up to date|in (?:order|sync|step)))|(?:the|what|each|every|all) kept',
    ),
  },
  {
    term: 'place',
    use: 'location, position, target, route',
    name: /(?<![a-z0-9]|decimal-|in-)places?(?![a-z0-9])/,
    prose: phrase(
      '(?:the|its|their|a|one|each|every|same|own|this|that|no|any|another) places?(?! of|holder)|places? (?:where|for|at|in (?:the|a|an))',
    ),
  },
  {
    term: 'word',
    use: 'token, label, term, name',
    name: /(?<![a-z0-9])words?(?![a-z0-9]|-break|-wrap|-spacing|-boundar)/,
    prose: phrase(
      'in words|(?:status|business) words?|words of (?:the|a|an|this)|(?:it|that) tells? in words',
    ),
  },
  {
    term: 'moment',
    use: 'timestamp, instant',
    name: part('moments?'),
    prose: phrase('(?<!at the |for a |in a |of the )moments?(?! (?:later|ago|please))'),
  },
  {
    term: 'tell, told, said',
    use: 'report, notify, emit, log',
    name: part('tell|tells|told|untold|teller|tellers|said'),
    prose: phrase('told|tellers?|tells? (?:of|about|how|so)|(?:is|was|what) said|says so'),
  },
  {
    term: 'taking over',
    use: 'ingest',
    name: part('tak(?:es?|ing|en)-over|took-over'),
    prose: phrase('tak(?:es?|ing|en) over|took over'),
  },
  {
    term: 'open line, newest lines',
    use: 'line buffer, tail buffer',
    name: part('open-lines?|newest-lines'),
    prose: phrase('open lines?|newest lines'),
  },
  {
    term: 'remembered',
    use: 'cache, cached',
    name: part('remember(?:s|ed|ing)?'),
    prose: phrase('remembered|remembers'),
  },
  {
    term: 'early reading',
    use: 'streaming ingest',
    name: part('early-readings?'),
    prose: phrase('early readings?'),
  },
  {
    term: 'visitor turns',
    use: 'visitor queue',
    name: part('turns'),
    prose: phrase('turns of (?:visitors|queries|users)|(?:its|their) turns?'),
  },
  {
    term: 'scratch join',
    use: 'temporary join',
    name: part('scratch'),
    prose: phrase('scratch (?:joins?|tables?)'),
  },
  {
    term: 'room, door, ladder, wall, brick, storey, house',
    use: 'feature, entry point, dependency order, import rule, shared module, layer, repository',
    name: part('rooms?|doors?|ladders?|walls|bricks?|storeys?|house'),
    prose: phrase(
      '(?<!makes? |leaves? |more |enough |the |is |no |has )rooms?(?! (?:for|left))|doors?|ladders?|walls|bricks?|storeys?|the house',
    ),
  },
  { term: 'mend', use: 'fix', name: part('mend(?:s|ed|ing)?'), prose: phrase('mend(?:s|ed|ing)?') },
  { term: 'image of then', use: 'snapshot, copy', prose: phrase('images? of then') },
  {
    term: 'take back, take away, make public',
    use: 'rollback, undo, revoke; publish, unpublish',
    name: part('tak(?:es?|ing|en)-(?:back|away)|made-public|make-public'),
    prose: phrase(
      'tak(?:es?|ing|en) (?:it |them |that |this )?back|took (?:it |them )?back|tak(?:es?|ing|en) away|ma(?:kes?|de) (?:it |them )?public',
    ),
  },
  {
    term: 'may',
    use: 'can, permission, access',
    name: /^(?:who-|what-)?may-|(?<=[a-z0-9]-)may-/,
    prose: phrase('who may|what (?:they|he|it|she|you) may|may (?:see|look)'),
  },
  {
    term: 'who made, who looks, whoever',
    use: 'owner, author, viewer, visitor, user',
    name: part('who-(?:made|wrote|looks|saved|asks|runs)|whoever'),
    prose: phrase(
      `whoever|(?<!${person} )who (?:made|wrote|looks?|saved?|asks?|runs?|reads?|waits?|writes?|uses?)`,
    ),
  },
  {
    term: 'going on',
    use: 'in progress, running',
    name: part('going-on|goes-on'),
    prose: phrase('(?:is|are|was|still|not) going on'),
  },
  { term: 'come to its end', use: 'finished, stopped', prose: phrase('c[oa]mes? to (?:its|their|an) end') },
  { term: 'try again', use: 'retry', name: part('try-again|tried-again') },
  { term: 'until when', use: 'deadline, timeout', name: part('until-when'), prose: phrase('until when') },
  { term: 'as many as come together', use: 'batch', prose: phrase('as many as (?:come|came) together') },
  {
    term: 'bring together',
    use: 'merge, aggregate',
    name: part('br(?:ing|ought)-together'),
    prose: phrase('br(?:ings?|ought|inging) together'),
  },
  { term: 'come to the present form', use: 'upgrade', prose: phrase('c[oa]mes? to the present form') },
  { term: 'not any more', use: 'expired, no longer', prose: phrase('not any more|any more') },
  {
    term: 'by time, by itself',
    use: 'on a schedule, automatically',
    name: part('by-itself'),
    prose: phrase('by itself|by themselves|by time|by hand'),
  },
  { term: 'letters', use: 'cost, weight, characters', name: part('letters') },
  {
    term: 'looked at, schema says',
    use: 'viewed, read, unwrapped; derived from the schema',
    prose: phrase('looked through|(?:is|are) looked at|schema says'),
  },
  {
    term: 'what is none',
    use: 'a sentence that names the thing',
    prose: phrase('that (?:is|are) none|(?<!there )(?:is|are) none'),
  },
  {
    term: 'texts of screens that readers misunderstood',
    use: 'the text that replaced it',
    prose: phrase(
      [
        'a demo workspace is there',
        'kept as it is',
        'is it no file',
        'several values at one place',
        'place of the unit',
        'a rise is',
        'course below',
        'tell how old',
        'rows that stay',
        'looks of the rows',
        'own actions',
        'own colou?r',
        'same labels go along',
        'answered in the name of',
        'A4,? (?:upright|across)',
        'tick those',
        'chooses by the time of insertion',
        'the formula was made',
        'the task has ended',
        'it takes no inputs',
        'lets Tab move on',
        'the name of an insight has no slash',
        'not drawn in this version',
        'programs save them',
        'what you open is listed',
        'what became of (?:it|each)',
        'not in this version yet',
        'has come in between',
        'does not let us in',
        'leaves the demo workspace away',
        'a way to the npm registry',
        'the file has arrived',
      ].join('|'),
    ),
  },
]

/** Texts that the specification or the HTTP API of the client ecosystem fixes letter for letter. */
export const fixedTexts = [
  'No file found at the moment of task execution.',
  'No data prep found at the moment of task execution.',
]

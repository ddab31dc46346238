// Expressions of task parameters: ten typical ones against JSONata, and the expressions with the most work that are accepted.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  evaluateValueExpression,
  parseValueExpression,
  type ValueContext,
  ValueError,
} from '@headwater/formula'
import { zoneOffsetMs } from '@headwater/zones'
import { atMost, median, type Figure } from './figure.ts'
import { installPeers, peerVersion } from './peers.ts'

const folder = fileURLToPath(new URL('./pipelines', import.meta.url))
const rounds = 5
const evaluations = 100_000

const run = { date: '2026-11-28', id: '5f3c0000', name: 'prices' }
const params = { Market: 'wti', Price: 71.37, Limit: 250, Empty: '', List: 'a;b;c', Note: 'a late price' }
const trigger = { fileName: 'prices.csv' }

/** Our expression and the one of the peer. */
const typical: readonly (readonly [ours: string, peer: string])[] = [
  ['"prices-" & run.date & ".csv"', '"prices-" & run.date & ".csv"'],
  ['replace(trigger.fileName, ".csv", ".json")', '$replace(trigger.fileName, ".csv", ".json")'],
  ['if(params.Limit > 100, "large", "small")', 'params.Limit > 100 ? "large" : "small"'],
  ['upper(params.Market)', '$uppercase(params.Market)'],
  ['round(params.Price * 1.19, 2)', '$round(params.Price * 1.19, 2)'],
  ['coalesce(params.Empty, "BRENT")', 'params.Empty ? params.Empty : "BRENT"'],
  ['join(split(params.List, ";"), ", ")', '$join($split(params.List, ";"), ", ")'],
  ['max(params.Limit, params.Price, 3)', '$max([params.Limit, params.Price, 3])'],
  ['contains(params.Note, "late")', '$contains(params.Note, "late")'],
  [
    'format(adddays(run.date, -1), "yyyy/MM/dd")',
    '$fromMillis($toMillis(run.date) - 86400000, "[Y0001]/[M01]/[D01]")',
  ],
]

interface Jsonata {
  evaluate(input: unknown): Promise<unknown>
}

/** Evaluates each typical expression equally often, alternating with the peer, and then the expressions with the most work. */
export default async function expressions(): Promise<Figure[]> {
  installPeers(folder, 'jsonata')
  const jsonata = createRequire(join(folder, 'package.json'))('jsonata') as (text: string) => Jsonata
  const ours = typical.map(([text]) => treeOf(text))
  const peers = typical.map(([, text]) => jsonata(text))
  const input = { run, params, trigger }
  for (const [index, [text]] of typical.entries()) {
    const [mine, other] = [
      evaluateValueExpression(ours[index]!, context),
      String(await peers[index]!.evaluate(input)),
    ]
    if (mine !== other) throw new Error(`${text} is ${mine} here, and ${other} in JSONata.`)
  }
  const times = { ours: [] as number[], peer: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now()
    for (let count = 0; count < evaluations; count++)
      evaluateValueExpression(ours[count % ours.length]!, context)
    const middle = performance.now()
    for (let count = 0; count < evaluations; count++) await peers[count % peers.length]!.evaluate(input)
    const end = performance.now()
    // The first round compiles.
    if (round === 0) continue
    times.ours.push(middle - start)
    times.peer.push(end - middle)
  }
  const ratio = median(times.peer) / median(times.ours)
  return [
    {
      name: `${evaluations.toLocaleString('en')} evaluations of ten typical expressions`,
      value: median(times.ours),
      unit: 'ms',
      peer: `JSONata ${peerVersion(folder, 'jsonata')}`,
      ratio,
      goal: '≥ 3 × peer',
      holds: ratio >= 3,
    },
    worstFigure(),
  ]
}

/** Expressions near a limit: of work, length, depth, the size of texts and lists, or with slow functions. */
const large: readonly string[] = [
  `${'('.repeat(99)}1${')'.repeat(99)}`,
  Array.from({ length: 499 }, () => '1').join('+'),
  `length(${'replace('.repeat(20)}padstart("", 100000, "a")${', "a", "b")'.repeat(20)})`,
  `length(${'upper('.repeat(90)}padstart("", 60000, "é")${')'.repeat(90)})`,
  `count(${'sort('.repeat(60)}split(padstart("", 1999, "b;"), ";")${')'.repeat(60)})`,
  `count(${'unique('.repeat(60)}split(padstart("", 1999, "b;"), ";")${')'.repeat(60)})`,
  `join([${Array.from({ length: 95 }, (_, at) => `today("Etc/GMT-${at % 14}")`).join(',')}],"")`,
  `join([${Array.from({ length: 40 }, (_, at) => `toutc("2026-03-29 02:${10 + at}","Europe/Berlin")`).join(',')}],"")`,
  `join([${Array.from({ length: 30 }, (_, at) => `format("2026-03-29T00:${10 + at}:00Z","ss","Asia/Kathmandu")`).join(',')}],"")`,
  `length(${'json('.repeat(14)}"\\""${')'.repeat(14)})`,
  `length(urlencode(padstart("", 30000, "é")))`,
  `get(padstart("1", 90000, " "), "a")`,
]

/** Measures parsing and evaluation of each large expression; the slowest counts. Those that exceed a limit count as well. */
function worstFigure(): Figure {
  const slowest = large
    .map((text) => {
      const times = Array.from({ length: rounds }, () => {
        const start = performance.now()
        evaluateOrRefuse(text)
        return performance.now() - start
      })
      return { text, ms: median(times) }
    })
    .reduce((worst, each) => (each.ms > worst.ms ? each : worst))
  console.log(`the slowest of the large expressions: ${slowest.text.slice(0, 60)} …`)
  return atMost(50, {
    name: 'the slowest of twelve expressions near a limit, parsed and evaluated',
    value: slowest.ms,
    unit: 'ms',
  })
}

function evaluateOrRefuse(text: string): void {
  const { tree } = parseValueExpression(text)
  if (tree === undefined) return
  try {
    evaluateValueExpression(tree, context)
  } catch (error) {
    if (!(error instanceof ValueError)) throw error
  }
}

function treeOf(text: string) {
  const parsed = parseValueExpression(text)
  if (parsed.fault !== undefined) throw new Error(`${text}: ${parsed.fault.message}`)
  return parsed.tree
}

const names: Readonly<Record<string, string | number>> = Object.fromEntries(
  Object.entries({ run, params, trigger }).flatMap(([object, fields]) =>
    Object.entries(fields).map(([field, value]) => [`${object}.${field}`, value]),
  ),
)

const context: ValueContext = {
  now: new Date('2026-11-28T23:30:00Z'),
  valueOf: (name) => names[name],
  unknownName: (name) => `There is no value ${name}.`,
  zoneOffsetMs,
}

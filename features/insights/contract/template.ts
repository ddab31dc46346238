import { z } from 'zod'
import { defineRoute, isRecord, largeBodyBytes, objectName, pageOf, pageQuery } from '@headwater/contract'
import { insightContent, type InsightContent, readInsights } from '@headwater/tile-data/contract'
import { groupText, nameText } from './names.ts'

/** Type of the files that store insight templates. */
export const templateFileType = 'INSIGHT_TEMPLATE'
/** Maximum length of a proposed template name, in characters. */
export const maxTemplateName = 200
/** Allowed extensions for the files of a template. */
export const templateFileEndings = ['.csv', '.md', '.pdf', '.jpg'] as const

/**
 * An output of a template: a CSV file whose rows fill a tile or the initial values of a parameter set, or a text, PDF
 * or picture that a tile displays.
 */
export const templateOutput = z.looseObject({
  groupName: z.string().default('').describe('Group of the file; empty means the group of the template.'),
  fileName: z
    .string()
    .refine(
      (name) => templateFileEndings.some((ending) => name.toLowerCase().endsWith(ending)),
      `The files of a template must end in ${templateFileEndings.join(', ')}.`,
    )
    .describe(`Name of the file, with one of the extensions ${templateFileEndings.join(', ')}.`),
  tileId: z.string().optional().describe('Tile that displays the rows, or the file.'),
  inputParamsId: z
    .string()
    .optional()
    .describe('Parameter set whose initial values come from the first row.'),
})

/** Returns whether an output is a table, whose rows fill tiles. For other outputs, tiles show the file itself. */
export function isTableOutput({ fileName }: Pick<TemplateOutput, 'fileName'>): boolean {
  return fileName.toLowerCase().endsWith('.csv')
}
/** A parsed {@link templateOutput}. */
export type TemplateOutput = z.output<typeof templateOutput>

/** An insight template: the JSON content of its file. */
export const templateDefinition = z.looseObject({
  description: z.string().max(4000).default('').describe('Description of its result.'),
  parameters: z
    .array(
      z.looseObject({
        name: z.string().min(1).describe('Name in the URL; `{{name}}` in texts is replaced with its value.'),
        label: z.string().default('').describe('Display name; empty means its name.'),
        defaultValue: z.string().default('').describe('Value if the URL contains none.'),
      }),
    )
    .max(100)
    .default([])
    .describe('Parameters of the template, at most 100; default none.'),
  task: z
    .looseObject({
      taskName: z.string().describe('Name of the task.'),
      taskGroupName: z
        .string()
        .min(1, 'Choose a task that is saved in a group.')
        .describe('Group of the task.'),
      params: z
        .array(z.string())
        .default([])
        .describe(
          'Parameters of the template that are passed to the task. Saving the template limits them to the parameters of the task.',
        ),
    })
    .optional()
    .describe(
      'Task that creates the outputs. It runs with the parameters when an insight is created from the template.',
    ),
  outputs: z
    .array(templateOutput)
    .max(200)
    .default([])
    .describe('Files that provide the values of tiles and parameters.'),
  insight: insightContent.describe('The definition to fill in.'),
})
/** A parsed {@link templateDefinition}. */
export type TemplateDefinition = z.output<typeof templateDefinition>

/** A template in the gallery. */
export const templateSummary = z.object({
  name: z.string().describe('Name: the file name without `.json`.'),
  groupName: z.string().describe('Group of the insight.'),
  description: z.string().describe('Description of its result; can be empty.'),
  owner: z.string().describe('User name of the author.'),
  modified: z.string().describe('Time, ISO date-time in UTC.'),
})
/** A parsed {@link templateSummary}. */
export type TemplateSummary = z.infer<typeof templateSummary>

/** Route that searches templates. */
export const searchInsightTemplates = defineRoute({
  name: 'searchInsightTemplates',
  method: 'GET',
  path: '/insight-templates',
  summary: 'Templates of insights in groups that the caller can read, newest first.',
  permission: readInsights,
  query: z.object({
    ...pageQuery(),
    query: z.string().max(200).default('').describe('Part of the name, case-insensitive.'),
  }),
  output: pageOf(templateSummary),
})

/** Route that returns a template by group and name. */
export const getInsightTemplate = defineRoute({
  name: 'getInsightTemplate',
  method: 'GET',
  path: '/insight-templates/:groupName/:name',
  summary: 'The content of a template, with its insight upgraded to the current format.',
  permission: readInsights,
  params: z.object({ groupName: groupText, name: nameText }),
  output: templateSummary.extend({
    definition: templateDefinition.describe('Content of the template.'),
    task: z
      .object({
        id: z.string().describe('Id.'),
        version: z.int().describe('Number of the latest version.'),
        savedBy: z
          .string()
          .nullable()
          .describe('User name of the author of the template; null if it is built in.'),
      })
      .nullable()
      .describe(
        'The current version of the task; null if the template has no task or the caller cannot read it.',
      ),
  }),
  errors: ['templateNotFound', 'templateDamaged'],
})

/** Route that proposes a free template name and finds a template by name. */
export const lookUpTemplateName = defineRoute({
  name: 'lookUpTemplateName',
  method: 'GET',
  path: '/insight-templates/name',
  summary:
    'Proposes a free name for a template of an insight, and finds a template by name. Names are case-sensitive.',
  permission: readInsights,
  query: z.object({
    groupName: groupText.describe('Group of the template.'),
    insightName: nameText.describe('Insight to save as a template.'),
    name: nameText.optional().describe('Name to look up. Absent: none.'),
  }),
  output: z.object({
    freeName: z
      .string()
      .describe('`<insight> template`, followed by the next free number if the name is taken in the group.'),
    template: templateSummary
      .extend({ fileId: z.string().describe('Id of the latest version.') })
      .nullable()
      .describe('The template with the given `name`; null if it does not exist.'),
  }),
  errors: ['groupNotFound'],
})

/** Route that saves an insight as a template. */
export const createInsightTemplate = defineRoute({
  name: 'createInsightTemplate',
  method: 'POST',
  path: '/insight-templates',
  summary: 'Saves an insight as a template, or as a new version of an existing template.',
  permission: readInsights,
  body: z.object({
    groupName: groupText.describe('Group in which to save; requires write access.'),
    name: objectName('a template').describe('Name of the template; trimmed.'),
    expectedFileId: z
      .string()
      .max(100)
      .optional()
      .describe(
        'Id of the version to replace. If it is absent or outdated, an existing template with that name is not replaced.',
      ),
    description: z.string().trim().max(4000).default('').describe('Description of its result.'),
    parameters: templateDefinition.shape.parameters,
    outputs: templateDefinition.shape.outputs,
    task: templateDefinition.shape.task,
    content: insightContent.describe('The definition of the insight.'),
  }),
  // names of symbols are keys in it
  allowsProtoNames: true,
  bodyBytes: largeBodyBytes,
  output: z.object({ fileId: z.string().describe('Id of the file of the template.') }),
  successStatus: 201,
  errors: [
    'groupNotFound',
    'groupForbidden',
    'insightNotEditable',
    'insightExists',
    'templateExists',
    'fileInTheWay',
    'insightTooLarge',
    'taskNotFound',
  ],
})

/** Thrown for an invalid parameter string. */
export class TemplateParamsError extends Error {}

/**
 * Parses the parameter string of a URL, already decoded by the router: `name=value` pairs joined by `|`. An empty
 * string has no parameters.
 * @throws TemplateParamsError with the message that is logged
 */
export function parseTemplateParams(text: string): Map<string, string> {
  const params = new Map<string, string>()
  if (text.trim() === '') return params
  for (const pair of text.split('|')) {
    const at = pair.indexOf('=')
    if (at < 1) throw new TemplateParamsError('Not a proper template params')
    params.set(pair.slice(0, at).trim(), pair.slice(at + 1))
  }
  return params
}

/**
 * Returns the insight of a template with its outputs filled in and `{{name}}` in every text replaced with parameters.
 * A parameter with the name of an input parameter field sets the initial value of that field; texts that follow the
 * chosen value keep the name. Code with values from the URL is marked, because its author is not the user who saves it.
 * @param params values from the URL, by name
 * @param outputs outputs with their groups; outputs other than tables have no rows and no text
 */
export function filledTemplate(
  definition: TemplateDefinition,
  params: ReadonlyMap<string, string>,
  outputs: readonly {
    output: TemplateOutput
    header: readonly string[]
    rows: readonly string[][]
    text: string
  }[],
): InsightContent {
  const given = definition.parameters.map(
    ({ name, defaultValue }) => [name, params.get(name) || defaultValue] as const,
  )
  // A name without a value stays unchanged, because placeholders of input parameters have the same syntax.
  const values = new Map(given.filter(([, value]) => value !== ''))
  const initial = new Map([...params, ...values].filter(([, value]) => value !== ''))
  const labels = new Set(Object.values(definition.insight.inputParams ?? {}).flatMap(labelsIn))
  const content = filled(definition.insight, values, labels) as InsightContent
  const ownCode = codeOf(filled(definition.insight, defaultsOf(definition), labels) as InsightContent)
  const codeFromLink = crypto.randomUUID()
  const inputParams: Record<string, unknown> = Object.fromEntries(
    Object.entries(content.inputParams ?? {}).map(([id, set]) => [
      id,
      changedFields(set, (field) => initial.get(labelOf(field))),
    ]),
  )
  const markedTiles = content.tiles.map((tile, at) =>
    codeOf(content)[at] === ownCode[at] ? tile : { ...tile, codeFromLink },
  )
  const tiles = markedTiles.map((tile) => {
    const match = outputs.find(({ output }) => output.tileId === tile.id)
    if (match === undefined) return tile
    const { groupName, fileName } = match.output
    return !isTableOutput(match.output)
      ? { ...tile, source: { type: 'FILE', value: { groupName, fileName } } }
      : {
          ...tile,
          [tile.type === 'CODE' ? 'dataSource' : 'source']: { type: 'EDITOR' },
          dataContent: match.text,
        }
  })
  for (const { output, header, rows } of outputs) {
    const id = output.inputParamsId
    if (id !== undefined && Object.hasOwn(inputParams, id))
      inputParams[id] = withInitial(inputParams[id], header, rows[0] ?? [])
  }
  return { ...content, tiles, inputParams }
}

/** Returns the default values of the parameters of a template that have one. */
function defaultsOf({ parameters }: TemplateDefinition): Map<string, string> {
  return new Map(
    parameters.flatMap(({ name, defaultValue }) =>
      defaultValue === '' ? [] : [[name, defaultValue] as const],
    ),
  )
}

/** Returns the code of each tile; undefined for tiles of other types. */
function codeOf({ tiles }: InsightContent): unknown[] {
  return tiles.map(({ type, templateContent }) => (type === 'CODE' ? templateContent : undefined))
}

/** Returns whether a text always follows the values chosen in input parameters. */
function isFollowing(key: string, parent: Record<string, unknown>): boolean {
  if (key === 'templateContent') return parent.type === 'Text'
  return (
    ['heading', 'titleTooltipText', 'chartTitle', 'text'].includes(key) ||
    (key === 'label' && 'column' in parent)
  )
}

/** Returns a parameter set with the initial values from a row. */
function withInitial(set: unknown, header: readonly string[], row: readonly string[]): unknown {
  return changedFields(set, ({ symbolKey, column }) => {
    const name = [symbolKey, column].find((text) => typeof text === 'string')
    const at = header.findIndex((other) => other.toLowerCase() === name?.toLowerCase())
    return at === -1 ? undefined : row[at]
  })
}

/** The lists of a set that contain its fields. */
const fieldLists = ['keys', 'fileColumns'] as const

/** Returns a parameter set with new initial values. Undefined leaves a field unchanged. */
function changedFields(
  set: unknown,
  initial: (field: Record<string, unknown>) => string | undefined,
): unknown {
  if (!isRecord(set)) return set
  const changed = { ...set }
  for (const name of fieldLists)
    if (Array.isArray(set[name]))
      changed[name] = set[name].map((field: unknown) => {
        const value = isRecord(field) ? initial(field) : undefined
        return isRecord(field) && value !== undefined ? { ...field, ...initialFields(field, value) } : field
      })
  return changed
}

/** The initial value of dates is two days, `2026-01-01..2026-01-31`; a single day is used for both. */
function initialFields({ valueType }: Record<string, unknown>, value: string): Record<string, string> {
  if (valueType !== 'DATE') return { defaultValue: value }
  const [from = '', to = from] = value.split('..')
  return { defaultValueFrom: from, defaultValueTo: to }
}

function labelsIn(set: unknown): string[] {
  if (!isRecord(set)) return []
  return fieldLists.flatMap((name) =>
    Array.isArray(set[name]) ? set[name].filter(isRecord).map(labelOf) : [],
  )
}

/** Returns the name of a field of a set in texts: its label, or the key or column that it selects. */
function labelOf({ label, symbolKey, column }: Record<string, unknown>): string {
  const texts = [label, symbolKey, column].filter((text) => typeof text === 'string')
  return texts.find((text) => text !== '') ?? ''
}

/**
 * Returns the definition with values inserted into its texts. Names of input parameters remain in texts that
 * follow these parameters.
 */
function filled(
  value: unknown,
  values: ReadonlyMap<string, string>,
  unchanged: ReadonlySet<string>,
  isFollowed = false,
): unknown {
  if (typeof value === 'string')
    return value.replace(/\{\{\s*([^{}]{1,200}?)\s*\}\}/g, (whole, name: string) =>
      isFollowed && unchanged.has(name) ? whole : (values.get(name) ?? whole),
    )
  if (Array.isArray(value)) return value.map((inner) => filled(inner, values, unchanged))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      filled(inner, values, unchanged, isFollowing(key, value)),
    ]),
  )
}

import { z } from 'zod'
import { defineRoute, isRecord, largeBodyBytes, objectName, pageOf, pageQuery } from '@headwater/contract'
import { insightContent, type InsightContent, readInsights } from '@headwater/tiles/contract'
import { groupText, nameText } from './names.ts'

/** Type of the files that hold templates of insights. */
export const templateFileType = 'INSIGHT_TEMPLATE'
/** Maximum length of a proposed template name, in characters. */
export const maxTemplateName = 200
/** Allowed extensions for the files of a template. */
export const templateFileEndings = ['.csv', '.md', '.pdf', '.jpg'] as const

/**
 * An output of a template: a CSV file whose rows fill a tile or the initial values of a set of parameters, or a text, PDF or
 * picture that a tile shows.
 */
export const templateOutput = z.looseObject({
  groupName: z.string().default('').describe('Group of the file; empty = that of the template.'),
  fileName: z
    .string()
    .refine(
      (name) => templateFileEndings.some((ending) => name.toLowerCase().endsWith(ending)),
      `The files of a template end in ${templateFileEndings.join(', ')}.`,
    )
    .describe(`Name of the file, with one of the endings ${templateFileEndings.join(', ')}.`),
  tileId: z.string().optional().describe('Tile that displays the rows, or the file.'),
  inputParamsId: z
    .string()
    .optional()
    .describe('Parameter set whose fields get the values of the first row.'),
})

/** Returns whether an output is a table, whose rows fill tiles. For other outputs, tiles show the file itself. */
export function isTableOutput({ fileName }: Pick<TemplateOutput, 'fileName'>): boolean {
  return fileName.toLowerCase().endsWith('.csv')
}
/** A parsed {@link templateOutput}. */
export type TemplateOutput = z.output<typeof templateOutput>

/** A template of insights: the JSON of its file. */
export const templateDefinition = z.looseObject({
  description: z.string().max(4000).default('').describe('Description of its result.'),
  parameters: z
    .array(
      z.looseObject({
        name: z.string().min(1).describe('Name in the URL; `{{name}}` in texts is replaced with its value.'),
        label: z.string().default('').describe('Display name; empty = its name.'),
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
          'Parameters of the template that the task is given; when it is saved those that the task has.',
        ),
    })
    .optional()
    .describe(
      'Task that makes the outputs anew; it runs when an insight is made of the template, with its parameters.',
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
  summary: 'The content of a template, with its insight upgraded to the present form.',
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
        'The task of the template as it is now; null without one, or when the caller cannot read it.',
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
    'Which name is free for a template of an insight, and which template has a name. Letter case counts.',
  permission: readInsights,
  query: z.object({
    groupName: groupText.describe('Group of the template.'),
    insightName: nameText.describe('Insight to save as a template.'),
    name: nameText.optional().describe('Name to look up. Absent: none.'),
  }),
  output: z.object({
    freeName: z
      .string()
      .describe(
        '`<insight> template`, with the next number behind it while a file of the group is called so.',
      ),
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
  summary: 'Saves an insight as a template, or as a new version of the one that is named.',
  permission: readInsights,
  body: z.object({
    groupName: groupText.describe('Group to save in; you need write access.'),
    name: objectName('a template').describe('Name of the template; trimmed.'),
    expectedFileId: z
      .string()
      .max(100)
      .optional()
      .describe(
        'Id of the version that is replaced; absent or outdated = a template of that name is not replaced.',
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
 * Returns the insight of a template with its outputs filled in and `{{name}}` in every text replaced with parameters. A
 * parameter named like a field of a set of input parameters is the initial value of that field; texts that follow the
 * chosen value keep the name.
 * @param outputs each with its group; outputs that are not tables have no rows and no text
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
  // A name without a value stays unchanged, because labels of input parameters look the same.
  const values = new Map(given.filter(([, value]) => value !== ''))
  const initial = new Map([...params, ...values].filter(([, value]) => value !== ''))
  const labels = new Set(Object.values(definition.insight.inputParams ?? {}).flatMap(labelsIn))
  const content = filled(definition.insight, values, labels) as InsightContent
  const inputParams: Record<string, unknown> = Object.fromEntries(
    Object.entries(content.inputParams ?? {}).map(([id, set]) => [
      id,
      changedFields(set, (field) => initial.get(labelOf(field))),
    ]),
  )
  const tiles = content.tiles.map((tile) => {
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

/** Whether a text always follows the values chosen in input parameters. */
function isFollowing(key: string, parent: Record<string, unknown>): boolean {
  if (key === 'templateContent') return parent.type === 'Text'
  return (
    ['heading', 'titleTooltipText', 'chartTitle', 'text'].includes(key) ||
    (key === 'label' && 'column' in parent)
  )
}

/** Returns a set of parameters whose initial values are those of a row. */
function withInitial(set: unknown, header: readonly string[], row: readonly string[]): unknown {
  return changedFields(set, ({ symbolKey, column }) => {
    const name = [symbolKey, column].find((text) => typeof text === 'string')
    const at = header.findIndex((other) => other.toLowerCase() === name?.toLowerCase())
    return at === -1 ? undefined : row[at]
  })
}

/** The lists of a set that hold its fields. */
const fieldLists = ['keys', 'fileColumns'] as const

/** Returns a set of parameters with other initial values; undefined leaves a field unchanged. */
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

/** Returns the name of a field of a set in texts: its label, or the key or column it chooses. */
function labelOf({ label, symbolKey, column }: Record<string, unknown>): string {
  const texts = [label, symbolKey, column].filter((text) => typeof text === 'string')
  return texts.find((text) => text !== '') ?? ''
}

/** A definition with values in its texts; the names of input parameters stay in texts that follow those. */
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

import { z } from 'zod'
import { defineRoute, pageOf, pageQuery } from '@headwater/contract'
import { insightContent, type InsightContent } from './insight-content.ts'
import { groupText, nameText, read } from './names.ts'

/** Type of the files that hold templates of insights. */
export const templateFileType = 'INSIGHT_TEMPLATE'
/** Endings that the files of a template may have. */
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
  tileId: z.string().optional().describe('Tile that shows the rows, or the file.'),
  inputParamsId: z
    .string()
    .optional()
    .describe('Set of parameters whose fields get the values of the first row.'),
})

/** Whether an output is a table, whose rows are read; of the others tiles show the file itself. */
export function isTableOutput({ fileName }: Pick<TemplateOutput, 'fileName'>): boolean {
  return fileName.toLowerCase().endsWith('.csv')
}
export type TemplateOutput = z.output<typeof templateOutput>

/** A template of insights: the JSON of its file. */
export const templateDefinition = z.looseObject({
  description: z.string().max(4000).default('').describe('What it makes.'),
  parameters: z
    .array(
      z.looseObject({
        name: z.string().min(1).describe('Name in the address; `{{name}}` in texts stands for its value.'),
        label: z.string().default('').describe('What it is called; empty = its name.'),
        defaultValue: z.string().default('').describe('Value when the address names none.'),
      }),
    )
    .max(100)
    .default([]),
  task: z
    .looseObject({ taskName: z.string(), taskGroupName: z.string() })
    .optional()
    .describe('Task that makes the outputs anew; it runs as soon as tasks exist.'),
  outputs: z.array(templateOutput).max(200).default([]).describe('Files that fill tiles and parameters.'),
  insight: insightContent.describe('The definition that is filled.'),
})
export type TemplateDefinition = z.output<typeof templateDefinition>

/** A template in the gallery. */
export const templateSummary = z.object({
  name: z.string().describe('Name, that of its file without `.json`.'),
  groupName: z.string().describe('Group it lies in.'),
  description: z.string().describe('What it makes; may be empty.'),
  owner: z.string().describe('Who saved it.'),
  modified: z.string().describe('When, ISO date-time in UTC.'),
})
export type TemplateSummary = z.infer<typeof templateSummary>

export const searchInsightTemplates = defineRoute({
  name: 'searchInsightTemplates',
  method: 'GET',
  path: '/insight-templates',
  summary: 'Templates of insights in groups that the caller can read, newest first.',
  permission: read,
  query: z.object({
    ...pageQuery(),
    query: z.string().max(200).default('').describe('Part of the name, in any letter case.'),
  }),
  output: pageOf(templateSummary),
})

export const getInsightTemplate = defineRoute({
  name: 'getInsightTemplate',
  method: 'GET',
  path: '/insight-templates/:groupName/:name',
  summary: 'The content of a template, with its insight upgraded to the present form.',
  permission: read,
  params: z.object({ groupName: groupText, name: nameText }),
  output: templateSummary.extend({ definition: templateDefinition }),
  errors: ['templateNotFound', 'templateDamaged'],
})

export const createInsightTemplate = defineRoute({
  name: 'createInsightTemplate',
  method: 'POST',
  path: '/insight-templates',
  summary: 'Saves an insight as a template; one of the same name gets a new version.',
  permission: read,
  body: z.object({
    groupName: groupText.describe('Group to save in; you need write access.'),
    name: nameText
      .regex(/^[^/\\]+$/, 'The name of a template has no slash or backslash.')
      .describe('Name of the template.'),
    description: z.string().trim().max(4000).default('').describe('What it makes.'),
    parameters: templateDefinition.shape.parameters,
    outputs: templateDefinition.shape.outputs,
    content: insightContent.describe('The definition of the insight.'),
  }),
  output: z.object({ fileId: z.string().describe('Id of the file of the template.') }),
  successStatus: 201,
  errors: ['groupNotFound', 'groupForbidden', 'mayNotEdit', 'fileInTheWay', 'insightTooLarge'],
})

/** Thrown for a parameter string that is none. */
export class TemplateParamsError extends Error {}

/**
 * Reads the parameter string of an address: `name=value` pairs joined by `|`, URI-encoded as a whole or each part by
 * itself. An empty text has no parameters.
 * @throws TemplateParamsError with the message that is logged
 */
export function parseTemplateParams(text: string): Map<string, string> {
  const params = new Map<string, string>()
  if (text.trim() === '') return params
  for (const pair of decode(text).split('|')) {
    const at = pair.indexOf('=')
    if (at < 1) throw new TemplateParamsError('Not a proper template params')
    params.set(pair.slice(0, at).trim(), pair.slice(at + 1))
  }
  return params
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new TemplateParamsError('Not a proper template params')
  }
}

/**
 * The insight of a template, with its parameters in the place of `{{name}}` in every text, and its outputs filled in.
 * @param outputs each with the group it lies in; those that are no tables without rows and text
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
  // What has no value stays as it is written: labels of input parameters look the same.
  const values = new Map(given.filter(([, value]) => value !== ''))
  const content = filled(definition.insight, values) as InsightContent
  const inputParams: Record<string, unknown> = { ...content.inputParams }
  const tiles = content.tiles.map((tile) => {
    const found = outputs.find(({ output }) => output.tileId === tile.id)
    if (found === undefined) return tile
    const { groupName, fileName } = found.output
    return !isTableOutput(found.output)
      ? { ...tile, source: { type: 'FILE', value: { groupName, fileName } } }
      : {
          ...tile,
          [tile.type === 'CODE' ? 'dataSource' : 'source']: { type: 'EDITOR' },
          dataContent: found.text,
        }
  })
  for (const { output, header, rows } of outputs) {
    const set = output.inputParamsId === undefined ? undefined : inputParams[output.inputParamsId]
    if (isRecord(set)) inputParams[output.inputParamsId!] = withInitial(set, header, rows[0] ?? [])
  }
  return { ...content, tiles, inputParams }
}

/** A set of parameters whose fields begin with the values of a row. */
function withInitial(
  set: Record<string, unknown>,
  header: readonly string[],
  row: readonly string[],
): Record<string, unknown> {
  const valueOf = (name: unknown) => {
    const at = header.findIndex((column) => column.toLowerCase() === String(name).toLowerCase())
    return at === -1 ? undefined : row[at]
  }
  const fill = (list: unknown, key: string) =>
    Array.isArray(list)
      ? list.map((field: unknown) => {
          const value = isRecord(field) ? valueOf(field[key]) : undefined
          return isRecord(field) && value !== undefined ? { ...field, defaultValue: value } : field
        })
      : list
  return { ...set, keys: fill(set.keys, 'symbolKey'), fileColumns: fill(set.fileColumns, 'column') }
}

function filled(value: unknown, values: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string')
    return value.replace(/\{\{\s*([^{}]{1,200}?)\s*\}\}/g, (whole, name: string) => values.get(name) ?? whole)
  if (Array.isArray(value)) return value.map((inner) => filled(inner, values))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner, values)]))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

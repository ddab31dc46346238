import { z } from 'zod'
import { columnTypes, isDateFormat, problemOfNames, valueTypes } from '@headwater/csv'
import { defineRoute, objectName } from '@headwater/contract'
import { isTimeZone } from '@headwater/zones'

/** Maximum number of mappings of a group. */
export const maxMappings = 50
/** Maximum number of columns of a stored mapping. */
export const maxMappedColumns = 1000
/** Maximum size of a stored mapping as JSON, in characters. */
const maxMappingLength = 100_000

const cellText = z
  .string()
  .max(2000, 'A name or value in a mapping can have at most 2000 characters.')
  .refine(
    (text) => text.isWellFormed() && !['\0', '\r', '\n'].some((each) => text.includes(each)),
    'Names and values of a mapping must be well-formed text in one line.',
  )
const columnName = cellText.min(1, 'A column needs a name.')
const dateFormat = z
  .string()
  .max(100)
  .refine(isDateFormat, 'Use a date format such as yyyy-MM-dd or dd/MM/yyyy HH:mm.')
const timezone = z.string().max(100).refine(isTimeZone, 'Use a time zone such as Europe/Warsaw or UTC.')

const mappedColumn = z
  .object({
    column: columnName.describe('Name in the header of the file.'),
    name: columnName
      .optional()
      .describe(
        'Name of the values in the series; default: the name of the column. Names of values must be unique, and so must names of metadata.',
      ),
    columnType: z
      .enum(columnTypes)
      .describe('Value: one value for each date. Metadata: one value for each symbol.'),
    type: z.enum(valueTypes).describe('DB: double. I: whole number. S: text. D: date.'),
    dateFormat: dateFormat.optional().describe('Format of its dates; required for the type D.'),
    timezone: timezone.optional().describe('IANA time zone of its dates; required for the type D.'),
  })
  .refine(
    ({ type, ...date }) => type !== 'D' || (date.dateFormat !== undefined && date.timezone !== undefined),
    'A column of the type D needs a date format and a time zone.',
  )

/** How the columns of a CSV file become symbols, dates and values. */
export const csvMapping = z
  .object({
    separator: z.enum([',', ';', '\t', '|']).describe('Character between cells.'),
    decimalSign: z.enum(['.', ',']).describe('Character before the fraction of numbers.'),
    hasHeader: z
      .boolean()
      .optional()
      .describe(
        'Whether the first row contains the names of the columns. Default true; otherwise the names are Column 1, Column 2 and so on.',
      ),
    symbolColumns: z
      .array(columnName)
      .max(100)
      .describe('Columns that identify the symbol of a row, at most 100.'),
    constantSymbols: z
      .array(
        z.object({
          name: columnName.describe('Name of the symbol key.'),
          value: cellText.min(1, 'A symbol needs a value.').describe('Its value in all rows.'),
        }),
      )
      .max(100)
      .describe('Symbol keys with the same value in all rows, at most 100.'),
    date: z
      .object({
        column: columnName.describe('Name in the header of the file.'),
        dateFormat: dateFormat.describe('Format of the dates, such as dd/MM/yyyy.'),
        timezone: timezone.describe('IANA time zone of dates without an offset.'),
      })
      .describe('The column of the dates.'),
    columns: z
      .array(mappedColumn)
      .max(maxMappedColumns, `A mapping can have at most ${maxMappedColumns} columns.`)
      .describe(`Value and metadata columns, at most ${maxMappedColumns}; other columns are omitted.`),
  })
  .refine(
    ({ symbolColumns, constantSymbols }) => symbolColumns.length + constantSymbols.length > 0,
    'A mapping needs at least one symbol.',
  )
  .superRefine(({ columns }, context) => {
    const message = problemOfNames({ columns })
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['columns'], message })
  })
  .refine(
    (mapping) => JSON.stringify(mapping).length <= maxMappingLength,
    `A mapping can have at most ${maxMappingLength} characters as JSON. Map fewer columns.`,
  )

/** A mapping that a group stores. */
export const storedMapping = z.object({
  name: z.string().describe('Name, unique in the group.'),
  mapping: csvMapping.describe('How the columns become series.'),
  savedAt: z.string().describe('Time of the last save, ISO date-time in UTC without a zone.'),
})
/** A mapping that a group stores, as a type. */
export type StoredMapping = z.infer<typeof storedMapping>

const groupName = z.string().max(300).describe('Name of the group.')
const mappingName = objectName('a mapping', { max: 100 }).describe(
  'Name, 1 to 100 characters, unique in the group.',
)
const write = { resource: 'Lake/Files', mode: 'RW' } as const

/** Route `GET /csv/mapping`. */
export const listMappings = defineRoute({
  name: 'listCsvMappings',
  method: 'GET',
  path: '/csv/mapping',
  summary: 'The CSV mappings of a group that the caller can write to, by name.',
  permission: write,
  query: z.object({ groupName }),
  output: z.object({ items: z.array(storedMapping).describe(`At most ${maxMappings} mappings.`) }),
  errors: ['groupNotFound', 'groupForbidden'],
})

/** Route `PUT /csv/mapping`. */
export const saveMapping = defineRoute({
  name: 'saveCsvMapping',
  method: 'PUT',
  path: '/csv/mapping',
  summary: 'Stores a CSV mapping in a group. Replaces an existing mapping with this name.',
  permission: write,
  body: z.object({
    groupName,
    name: mappingName,
    mapping: csvMapping.describe('How the columns become series.'),
  }),
  output: storedMapping,
  errors: ['groupNotFound', 'groupForbidden', 'tooManyMappings'],
})

/** Route `DELETE /csv/mapping`. */
export const deleteMapping = defineRoute({
  name: 'deleteCsvMapping',
  method: 'DELETE',
  path: '/csv/mapping',
  summary: 'Deletes a CSV mapping of a group. Files that were imported with it stay.',
  permission: write,
  query: z.object({ groupName, name: mappingName }),
  output: z.object({}),
  errors: ['groupNotFound', 'groupForbidden', 'mappingNotFound'],
})

import { useQuery } from '@tanstack/react-query'
import { listSymbolValues, searchSymbols } from '@headwater/symbols/contract'
import { readContent } from '@headwater/files/web'
import { call } from '@headwater/web-kit'
import { findLakeFile, useFileTable, useChoosable } from '@headwater/tile-data/web'
import {
  resultColumns,
  isNamed,
  anyValue,
  fieldsOf,
  fileOfSet,
  type ParamField,
  type ParamSet,
} from '@headwater/tile-data/core'
import { type FileOption, readOptions } from './read-options.ts'

/** Maximum size of an option file, in bytes. */
const maxOptionsBytes = 1_000_000

/** Number of values of a field that the server returns at once. The user finds other values by typing. */
const offered = 500

/** Choices of a field. */
export interface Choices {
  /** Values to choose from; empty while the first ones load. */
  options: readonly FileOption[]
  /** Number of matching values. `options` can contain only the first of them. */
  total: number
  /** Whether a request is in progress. */
  loading: boolean
  /** Error of the last request; null without one. */
  error: Error | null
}

/**
 * Returns the values that can be chosen in a field of a set: the values of a symbol key or metadata in its group, or of a
 * column of its file. With `isHierarchyEnabled`, only values that match the choices in earlier fields.
 * @param chosen values by the name of their field
 * @param text text typed to find a value
 */
export function useChoices(
  set: ParamSet,
  field: ParamField,
  chosen: Readonly<Record<string, string>>,
  text: string,
): Choices {
  const before = choicesBefore(set, field, chosen)
  const ofSymbols = useSymbolChoices(set, field, before, text)
  const ofFile = useFileChoices(set, field, before)
  const listed = useListedChoices(field)
  if (field.optionsFile !== undefined) return listed
  return set.basicInputParamsType === 'FILE' ? ofFile : ofSymbols
}

/** Returns the choices listed in a file of options, independent of other choices. */
function useListedChoices({ optionsFile }: ParamField): Choices {
  const { data, isFetching, error } = useQuery({
    queryKey: ['optionsFile', optionsFile],
    enabled: optionsFile !== undefined,
    queryFn: async ({ signal }) => {
      const file = await findLakeFile(optionsFile!, signal)
      if (file.size > maxOptionsBytes)
        throw new Error(
          `${file.fileName} is larger than the 1 MB limit for option files. Choose a smaller file.`,
        )
      return readOptions(await readContent(file.fid, 'text', signal))
    },
  })
  return { options: data ?? [], total: data?.length ?? 0, loading: isFetching, error }
}

/** Returns the fields that narrow a field, with their chosen values. Fields without a choice do not narrow others. */
export function choicesBefore(
  set: ParamSet,
  field: ParamField,
  chosen: Readonly<Record<string, string>>,
): { field: ParamField; value: string }[] {
  if (!set.isHierarchyEnabled) return []
  const fields = fieldsOf(set)
  const at = fields.findIndex(({ name, kind }) => name === field.name && kind === field.kind)
  return fields.slice(0, at).flatMap((each) => {
    const value = chosen[each.name] ?? ''
    return value === '' || value === anyValue.value ? [] : [{ field: each, value }]
  })
}

function useSymbolChoices(
  set: ParamSet,
  field: ParamField,
  before: readonly { field: ParamField; value: string }[],
  text: string,
): Choices {
  const { groupName } = set
  const isKey = field.kind === 'symbol'
  const isMetadata = field.kind === 'metadata'
  const hasSymbols = groupName !== '' && field.optionsFile === undefined
  const symbols = Object.fromEntries(
    before.flatMap(({ field: { kind, name }, value }) => (kind === 'symbol' ? [[name, value]] : [])),
  )
  const hasMetadata = before.some(({ field: { kind } }) => kind === 'metadata')
  const { limited } = useChoosable()
  // Values of keys alone come from the index; with metadata they come from the symbols. Visitors cannot search
  // for symbols, and their route lists values of both.
  const bySearch = !limited && (isMetadata || hasMetadata)
  const values = useQuery<MatchingValues>({
    queryKey: [listSymbolValues.name, groupName, field.name, symbols, text],
    enabled: (isKey || isMetadata) && !bySearch && hasSymbols,
    placeholderData: (last) => last,
    queryFn: async ({ signal }) => {
      const body = { groupName, key: field.name, query: text, symbols }
      const page = await call(listSymbolValues, { query: { limit: offered }, body }, { signal })
      return { values: page.items, total: page.totalSize }
    },
  })
  const path = `${isMetadata ? 'metadata' : 'symbols'}.${field.name}`
  const query = [
    `groupName.keyword=${groupName}`,
    ...before.map(
      ({ field: { kind, name }, value }) =>
        `${kind === 'metadata' ? 'metadata' : 'symbols'}.${name}=${value}`,
    ),
    ...(text === '' ? [] : [`${path}=*${text}*`]),
  ].join('&')
  const matches = useQuery<MatchingValues>({
    queryKey: [searchSymbols.name, 'choices', path, query],
    enabled: (isKey || isMetadata) && bySearch && hasSymbols,
    placeholderData: (last) => last,
    queryFn: async ({ signal }) => {
      const page = await call(searchSymbols, { query: { query, collapse: path, size: offered } }, { signal })
      const maps = page.items.map((item): Record<string, unknown> =>
        isMetadata ? item.metadata : item.symbols,
      )
      const all = maps.flatMap((map) => {
        const value = map[field.name]
        return typeof value === 'string' && value !== '' ? [value] : []
      })
      const values = [...new Set(all)].sort()
      // Symbols without the field are combined into one match, which is not a value.
      return { values, total: page.totalSize - (page.items.length - values.length) }
    },
  })
  const used = bySearch ? matches : values
  const { values: options, total } = used.data ?? { values: [], total: 0 }
  return { options: asOptions(options), total, loading: used.isFetching, error: used.error }
}

function useFileChoices(
  set: ParamSet,
  field: ParamField,
  before: readonly { field: ParamField; value: string }[],
): Choices {
  const address = fileOfSet(set)
  const isFile =
    set.basicInputParamsType === 'FILE' &&
    field.kind === 'column' &&
    field.optionsFile === undefined &&
    isNamed(address)
  const file = useFileTable(address, { enabled: isFile, watched: false })
  const [loaded] = file.results ?? []
  if (!isFile || loaded === undefined)
    return {
      options: [],
      total: 0,
      loading: isFile && file.error === null,
      error: isFile ? file.error : null,
    }
  const columns = resultColumns(loaded.result)
  const indexOf = (wanted: string) => columns.find((column) => column.name === wanted)?.index
  const at = indexOf(field.name)
  if (at === undefined) return { options: [], total: 0, loading: false, error: null }
  const narrowing = before.flatMap(({ field: { name: column, kind }, value }) => {
    const index = kind === 'column' ? indexOf(column) : undefined
    return index === undefined ? [] : [{ index, value }]
  })
  const values = new Set<string>()
  for (const row of loaded.result.rows)
    if (row[at] !== '' && narrowing.every(({ index, value }) => row[index] === value)) values.add(row[at]!)
  return {
    options: asOptions([...values].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))),
    total: values.size,
    loading: false,
    error: null,
  }
}

/** Values of a field on the server. */
interface MatchingValues {
  /** The first values. */
  values: string[]
  /** Number of all values. */
  total: number
}

function asOptions(values: readonly string[]): FileOption[] {
  return values.map((value) => ({ value, label: value }))
}

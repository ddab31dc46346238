import { listSymbolValues, searchSymbols } from '@headwater/symbols/contract'
import { ApiError, call, shapeOf } from '@headwater/web-kit'
import {
  anyValue,
  fieldsOf,
  type ParamField,
  type ParamSet,
  type ParamValues,
} from '@headwater/tile-data/core'

/** Result of applying a set: the number of matching symbols, or an error. */
export interface ParamResult {
  /** Number of matching symbols; undefined if no lookup was necessary. */
  symbolCount: number | undefined
  /** Whether a value matches no symbol, or the lookup failed. */
  hasError: boolean
  /** Error message for the user; empty if there is no error. */
  message: string
}

/** Message for values that match no symbol. */
const noSymbolMessage = 'One of choosen symbols does not exist. Please select different ones.'

/**
 * Checks whether the choices of a set match symbols of its group.
 * @param isVisitor whether the user is a visitor of a public insight, who can only list values
 */
export async function checkSet(
  set: ParamSet,
  { values }: ParamValues,
  { isVisitor, signal }: { isVisitor: boolean; signal: AbortSignal },
): Promise<ParamResult> {
  const chosen = fieldsOf(set).flatMap((field) => {
    const value = values[field.name] ?? ''
    const isChosen =
      value !== '' && value !== anyValue.value && (field.kind === 'symbol' || field.kind === 'metadata')
    return isChosen ? [{ field, value }] : []
  })
  const pairs = chosen.map(
    ({ field: { name, kind }, value }) => `${kind === 'symbol' ? 'symbols' : 'metadata'}.${name}=${value}`,
  )
  if (set.basicInputParamsType !== 'TS' || set.groupName === '' || pairs.length === 0)
    return { symbolCount: undefined, hasError: false, message: '' }
  try {
    if (isVisitor) {
      for (const { field, value } of chosen) await requireValue(set.groupName, field, { value, signal })
      return { symbolCount: undefined, hasError: false, message: '' }
    }
    const query = [`groupName.keyword=${set.groupName}`, ...pairs].join('&')
    const { totalSize } = await call(searchSymbols, { query: { query, size: 1 } }, { signal })
    if (totalSize === 0)
      throw new Error(`Could not find symbols with ${pairs.join(', ')} in ${set.groupName}.`)
    return { symbolCount: totalSize, hasError: false, message: '' }
  } catch (error) {
    return { symbolCount: undefined, hasError: true, message: paramErrorText(error) }
  }
}

/** Throws if a visitor cannot choose a value. */
async function requireValue(
  groupName: string,
  { name: key, kind, initial }: ParamField,
  { value, signal }: { value: string; signal: AbortSignal },
): Promise<void> {
  if (value === initial) return
  // Narrowing the key to the value leaves at most this value, even if many others contain it.
  const symbols = kind === 'symbol' ? { [key]: value } : {}
  const body = { groupName, key, query: value, symbols }
  const { items } = await call(listSymbolValues, { body }, { signal })
  if (!items.includes(value)) throw new Error(`Could not find ${key}=${value} in ${groupName}.`)
}

/** Returns the message for an error of the data of a set. */
export function paramErrorText(error: unknown): string {
  // Responses without a message have a generated message.
  const isSilent = error instanceof ApiError && error.message === shapeOf('', error.status).message
  const text = error instanceof Error && !isSilent ? error.message : ''
  if (text.startsWith('Could not find')) return noSymbolMessage
  return text === '' ? 'Unknown error' : text
}

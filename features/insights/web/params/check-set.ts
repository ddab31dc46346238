import { searchSymbols } from '@headwater/symbols/contract'
import { ApiError, call, shapeOf } from '@headwater/web-kit'
import { anyValue, fieldsOf, type ParamSet } from '../../contract/params/param-set.ts'
import type { ParamValues } from '../../contract/params/param-values.ts'

/** What came of applying a set: how many symbols its choices mean, or that something is wrong with them. */
export interface ParamResult {
  /** Number of symbols found; undefined when nothing had to be looked up. */
  symbolCount: number | undefined
  hasError: boolean
  /** What is wrong, as the user is told it; empty without an error. */
  message: string
}

/** What is said of choices that mean no symbol. */
export const noSymbolMessage = 'One of choosen symbols does not exist. Please select different ones.'

/** Looks up whether the choices of a set mean symbols of its group. */
export async function checkSet(
  set: ParamSet,
  { values }: ParamValues,
  signal: AbortSignal,
): Promise<ParamResult> {
  const pairs = fieldsOf(set).flatMap(({ name, kind }) => {
    const value = values[name] ?? ''
    const isChosen = value !== '' && value !== anyValue.value && (kind === 'symbol' || kind === 'metadata')
    return isChosen ? [`${kind === 'symbol' ? 'symbols' : 'metadata'}.${name}=${value}`] : []
  })
  if (set.basicInputParamsType !== 'TS' || set.groupName === '' || pairs.length === 0)
    return { symbolCount: undefined, hasError: false, message: '' }
  try {
    const query = [`groupName.keyword=${set.groupName}`, ...pairs].join('&')
    const { totalSize } = await call(searchSymbols, { query: { query, size: 1 } }, { signal })
    if (totalSize === 0)
      throw new Error(`Could not find symbols with ${pairs.join(', ')} in ${set.groupName}.`)
    return { symbolCount: totalSize, hasError: false, message: '' }
  } catch (error) {
    // a visitor of a public insight cannot look symbols up; the choices are checked when the tiles ask
    if (error instanceof ApiError && error.code === 'notForVisitors')
      return { symbolCount: undefined, hasError: false, message: '' }
    return { symbolCount: undefined, hasError: true, message: paramErrorText(error) }
  }
}

/** What the user is told of an error of the data of a set. */
export function paramErrorText(error: unknown): string {
  // an answer without a message has one that was made up for it
  const isSilent = error instanceof ApiError && error.message === shapeOf('', error.status).message
  const text = error instanceof Error && !isSilent ? error.message : ''
  if (text.startsWith('Could not find')) return noSymbolMessage
  return text === '' ? 'Unknown error' : text
}

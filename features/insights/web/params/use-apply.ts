import { useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { message } from '@headwater/web-kit'
import { useInsightData, useChoosable } from '@headwater/tile-data/web'
import { checkSet, type ParamResult } from './check-set.ts'
import {
  type ParamSet,
  initialValues,
  type ParamValues,
  valuesToApply,
  writeAddress,
} from '@headwater/tile-data/core'

/**
 * Applies sets of parameters. The values are written to the URL as a new history entry, so that back and
 * forward, a reload and a pasted link restore them; invalid values are reported and not applied.
 */
export function useApply(): {
  /** Returns whether the values were applied. */
  apply: (set: ParamSet, chosen: ParamValues) => Promise<boolean>
  /** Id of the set that is being applied. */
  busyId: string | undefined
  /** Result of the last application of each set, by its id. */
  results: ReadonlyMap<string, ParamResult>
} {
  const { sets } = useInsightData()
  const { limited } = useChoosable()
  const location = useLocation()
  const navigate = useNavigate()
  const [busyId, setBusyId] = useState<string>()
  const [results, setResults] = useState<ReadonlyMap<string, ParamResult>>(new Map())

  // Sets that are applied together are written to the URL in sequence.
  const last = useRef<Promise<unknown>>(Promise.resolve())
  function apply(set: ParamSet, chosen: ParamValues): Promise<boolean> {
    const applying = last.current.then(() => applyOne(set, chosen))
    last.current = applying.catch(() => undefined)
    return applying
  }

  async function applyOne(set: ParamSet, chosen: ParamValues): Promise<boolean> {
    setBusyId(set.id)
    const { signal } = new AbortController()
    const result = await checkSet(set, chosen, { isVisitor: limited, signal })
    setBusyId(undefined)
    setResults((before) => new Map(before).set(set.id, result))
    if (result.hasError) {
      message(result.message, 'error')
      return false
    }
    const applied = (other: ParamSet) =>
      sets.find((each) => each.set.id === other.id)?.chosen ?? initialValues(other)
    const all = valuesToApply(
      sets.map((each) => each.set),
      set,
      chosen,
      applied,
    )
    const present = window.location.search
    const search = new URLSearchParams(present)
    for (const [each, values] of all) writeAddress(each, values, search)
    const text = search.toString()
    if (`?${text}` !== present && (text !== '' || present !== '')) {
      const to = { pathname: location.pathname, search: text === '' ? '' : `?${text}`, hash: location.hash }
      await navigate(to)
    }
    message('Parameters applied succesfully')
    return true
  }

  return { apply, busyId, results }
}

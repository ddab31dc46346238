import type { ParamSet } from '@headwater/tile-data/core'
import type { InsightName } from '../../insights-client.ts'
import { wereParamsClosed, storeParamsClosed } from '../../params/closed-params.ts'
import { type PanelName, usePanel } from './use-panel.ts'

/**
 * Manages the open panel of an insight. The panel of parameters opens automatically if a set requires it. After the user has
 * closed it, it stays closed on later visits.
 * @param name undefined for an insight that was never saved, whose parameters do not open automatically
 * @param sets the visible sets
 */
export function useInsightPanel(name: InsightName | undefined, sets: readonly ParamSet[]) {
  const opensAutomatically = name !== undefined && sets.some(({ shouldOpenOnStart }) => shouldOpenOnStart)
  const { panel, toggle, close, closed } = usePanel(() =>
    opensAutomatically && !wereParamsClosed(name) ? 'params' : undefined,
  )
  function keepParams(isClosed: boolean) {
    if (opensAutomatically) storeParamsClosed(name, isClosed)
  }
  const onToggle = (next: PanelName) => {
    if (next === 'params') keepParams(panel === 'params')
    toggle(next)
  }
  const closeParams = () => {
    keepParams(true)
    close()
  }
  return { panel, toggle: onToggle, close, closeParams, closed }
}

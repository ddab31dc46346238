import type { ParamSet } from '@headwater/tiles/core'
import type { InsightName } from '../../insights-client.ts'
import { areParamsKeptClosed, keepParamsClosed } from '../../params/closed-params.ts'
import { type PanelName, usePanel } from './use-panel.ts'

/**
 * Which panel of an insight is open. The parameters open by themselves when one of their sets asks for it, until somebody
 * closes them: then they stay closed the next time.
 * @param name undefined for an insight that was never saved, whose parameters do not open by themselves
 * @param sets those that are shown
 */
export function useInsightPanel(name: InsightName | undefined, sets: readonly ParamSet[]) {
  const opensByItself = name !== undefined && sets.some(({ shouldOpenOnStart }) => shouldOpenOnStart)
  const { panel, toggle, close, closed } = usePanel(() =>
    opensByItself && !areParamsKeptClosed(name) ? 'params' : undefined,
  )
  function keepParams(isClosed: boolean) {
    if (opensByItself) keepParamsClosed(name, isClosed)
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

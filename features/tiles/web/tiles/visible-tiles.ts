import { isFramed, useCan } from '@headwater/accounts/web'
import { useProductConfig } from '@headwater/web-kit'
import type { TileSight } from '../../core/insight/visible-tiles.ts'

/** What the user may see of an insight. */
export function useTileSight(): TileSight {
  const can = useCan()
  return {
    workflows: can('Workflows', 'R', 'Insight'),
    visualisations: can('Visualisations', 'R', 'Insight'),
    framed: isFramed(),
  }
}

/** Whether the user sees tiles of workflows. */
export function useSeesWorkflows(): boolean {
  const { workflows, framed } = useTileSight()
  return workflows && !framed
}

/** Whether tiles of workflows can be added. They show nothing yet, so only installations with unfinished pages offer them. */
export function useOffersWorkflows(): boolean {
  const { unfinishedPages } = useProductConfig()
  return useSeesWorkflows() && unfinishedPages
}

import { isFramed, useCan } from '@headwater/accounts/web'
import type { TileSight } from '@headwater/tile-data/core'
import { useProductConfig } from '@headwater/web-kit'

/** Returns the permissions that determine the visible tiles. */
export function useTileSight(): TileSight {
  const can = useCan()
  return {
    workflows: can('Workflows', 'R', 'Insight'),
    visualisations: can('Visualisations', 'R', 'Insight'),
    framed: isFramed(),
  }
}

/** Returns whether the user sees workflow tiles. */
function useSeesWorkflows(): boolean {
  const { workflows, framed } = useTileSight()
  return workflows && !framed
}

/**
 * Returns whether users can add workflow tiles. They are unfinished, so only installations with unfinished pages offer
 * them.
 */
export function useOffersWorkflows(): boolean {
  const { unfinishedPages } = useProductConfig()
  return useSeesWorkflows() && unfinishedPages
}

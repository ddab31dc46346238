import { lazyPart } from '@headwater/web-kit'

/** The summary boxes above the tiles. */
export const HeaderBoxes = lazyPart(() => import('./header-boxes/HeaderBoxes.tsx'))
/** The chosen values of the parameters. */
export const ParamChips = lazyPart(() => import('./params/ParamChips.tsx'))
/** The panel of the parameters. */
export const ParamsPanel = lazyPart(() => import('./params/ParamsPanel.tsx'))
/** The panel of the builder. */
export const BuilderPanel = lazyPart(() => import('./builder/BuilderPanel.tsx'))
/** The buttons in the header of the builder. */
export const BuilderActions = lazyPart(() => import('./builder/BuilderActions.tsx'))

/** Preloads the code of the builder. */
export function preloadBuilder(): void {
  BuilderPanel.preload()
  BuilderActions.preload()
}

/** Preloads the code of the builder when the page is idle; returns a function that cancels it. */
export function preloadBuilderWhenIdle(): () => void {
  const cancelPanel = BuilderPanel.preloadWhenIdle()
  const cancelActions = BuilderActions.preloadWhenIdle()
  return () => {
    cancelPanel()
    cancelActions()
  }
}

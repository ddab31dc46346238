import { lazyPart } from '@headwater/web-kit'

/** Parts of the page of an insight whose code loads when an insight has them. */
export const HeaderBoxes = lazyPart(() => import('./header-boxes/HeaderBoxes.tsx'))
export const ParamChips = lazyPart(() => import('./params/ParamChips.tsx'))
export const ParamsPanel = lazyPart(() => import('./params/ParamsPanel.tsx'))

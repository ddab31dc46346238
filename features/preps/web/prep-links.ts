import { links } from '@headwater/web-kit'

/** The tabs of the creator by the names that settings and hashes have for them. */
export const creatorTabs = { Table: 'table', Basket: 'basket', Charts: 'charts' } as const
export type CreatorTab = keyof typeof creatorTabs

/** A data prep in the creator, on the tab that the user chose in the settings. */
export function prepHref(
  prep: { outputGroup: string; name: string },
  tab: CreatorTab,
  version: number | string = 'latest',
): string {
  return links.dataPrep(prep.outputGroup, prep.name, version, { query: '', tab: creatorTabs[tab] })
}

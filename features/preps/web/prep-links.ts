import { links } from '@headwater/web-kit'

/** Tabs of the creator: names in the settings, and URL hashes. */
const creatorTabs = { Table: 'table', Basket: 'basket', Charts: 'charts' } as const
/** Name of a tab of the creator. */
export type CreatorTab = keyof typeof creatorTabs

/** Returns the URL of a data prep in the creator, with a tab. */
export function prepHref(
  prep: { outputGroup: string; name: string },
  tab: CreatorTab,
  version: number | string = 'latest',
): string {
  return links.dataPrep(prep.outputGroup, prep.name, version, { query: '', tab: creatorTabs[tab] })
}

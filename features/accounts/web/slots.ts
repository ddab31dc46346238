import { type Access, createSlot, type LazyPart } from '@headwater/web-kit'

/** A tab on the page My account. */
export interface AccountTab {
  /** Hash of the tab. */
  hash: string
  /** Label of the tab. */
  label: string
  /** Access that a user needs to see the tab. */
  access: Access
  /** own: beside the settings of the user; installation: at the end, beside those of administrators. */
  part: 'own' | 'installation'
  /** Content of the tab. */
  Content: LazyPart<object>
}

/** Tabs that later features add to the page My account. */
export const accountTabs = createSlot<AccountTab>('account tabs')

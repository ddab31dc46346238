import { z } from 'zod'
import type { InsightContent } from '@headwater/tiles/contract'
import { listOf, text } from '@headwater/tiles/core'

/** What a footer button can do, as stored. */
export const footerButtonTypes = [
  'SHOW_RESULTS',
  'DOWNLOAD_DATA_PREP',
  'OPEN_LINK',
  'SCROLL_TO_TILE',
] as const
export type FooterButtonType = (typeof footerButtonTypes)[number]

/** What each type is called. */
export const footerButtonNames: Readonly<Record<FooterButtonType, string>> = {
  SHOW_RESULTS: 'Show results',
  DOWNLOAD_DATA_PREP: 'Download data prep',
  OPEN_LINK: 'Open a page',
  SCROLL_TO_TILE: 'Scroll to a tile',
}

/** The text of a button that shows results, unless it says otherwise. */
export const defaultButtonText = 'Show results'

/** The most buttons of an insight. */
export const maxFooterButtons = 24

/** A saved data prep by group and name; the latest version is meant. */
export const dataPrepName = z
  .looseObject({ groupName: z.string(), name: z.string() })
  .catch({ groupName: '', name: '' })

/** A button below the tiles. */
export const footerButton = z.looseObject({
  id: z.string().min(1),
  text,
  type: z
    .string()
    .transform((word) =>
      word
        .trim()
        .toUpperCase()
        .replace(/[^A-Z]+/g, '_'),
    )
    .catch('')
    .describe(
      'SHOW_RESULTS, DOWNLOAD_DATA_PREP, OPEN_LINK or SCROLL_TO_TILE; another is kept and does nothing.',
    ),
  dataPrep: dataPrepName.describe('What DOWNLOAD_DATA_PREP downloads.'),
  link: text.describe('Where OPEN_LINK leads: a path of this application, for example `/Lake`.'),
  tileId: text.describe('Id of the tile that SCROLL_TO_TILE leads to.'),
})
export type FooterButton = z.output<typeof footerButton>

/** The footer buttons of an insight that can be understood. */
export function footerButtonsOf({ footer }: Pick<InsightContent, 'footer'>): FooterButton[] {
  const buttons =
    typeof footer === 'object' && footer !== null && 'buttons' in footer ? footer.buttons : footer
  return listOf(footerButton).parse(buttons)
}

/** The footer with other buttons; what else it holds stays. */
export function withFooterButtons(
  { footer }: Pick<InsightContent, 'footer'>,
  buttons: readonly FooterButton[],
): { footer: object } {
  const rest = typeof footer === 'object' && footer !== null && !Array.isArray(footer) ? footer : {}
  return { footer: { ...rest, buttons } }
}

/** A new button: the first one shows results and says so, each other one is called `ButtonN`. */
export function newFooterButton(id: string, others: readonly FooterButton[]): FooterButton {
  return {
    id,
    type: others.length === 0 ? 'SHOW_RESULTS' : 'SCROLL_TO_TILE',
    text: others.length === 0 ? defaultButtonText : freeText(others),
    dataPrep: { groupName: '', name: '' },
    link: '',
    tileId: '',
  }
}

/** A copy of a button with an id and a text of its own. */
export function copiedFooterButton(
  button: FooterButton,
  id: string,
  others: readonly FooterButton[],
): FooterButton {
  return { ...structuredClone(button), id, text: freeText(others) }
}

/** The path a link of a button leads to; undefined for one that leaves this application. */
export function pathOfLink(link: string, origin: string): string | undefined {
  const typed = link.trim()
  if (typed === '' || !URL.canParse(typed, origin)) return undefined
  const address = new URL(typed, origin)
  return address.origin === origin ? `${address.pathname}${address.search}${address.hash}` : undefined
}

/** Whether a button says all it needs to do something. */
export function isComplete(button: FooterButton, origin: string): boolean {
  switch (button.type) {
    case 'SHOW_RESULTS':
      return true
    case 'DOWNLOAD_DATA_PREP':
      return button.dataPrep.groupName !== '' && button.dataPrep.name !== ''
    case 'OPEN_LINK':
      return pathOfLink(button.link, origin) !== undefined
    case 'SCROLL_TO_TILE':
      return button.tileId !== ''
    default:
      return false
  }
}

function freeText(others: readonly FooterButton[]): string {
  let number = others.length + 1
  while (others.some((other) => other.text === `Button${number}`)) number++
  return `Button${number}`
}

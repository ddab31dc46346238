import { z } from 'zod'
import type { InsightContent } from '@headwater/tile-data/contract'
import { listOf, text } from '@headwater/tile-data/core'

/** Stored types of footer buttons. */
const footerButtonTypes = ['SHOW_RESULTS', 'DOWNLOAD_DATA_PREP', 'OPEN_LINK', 'SCROLL_TO_TILE'] as const
/** A type of footer button. */
export type FooterButtonType = (typeof footerButtonTypes)[number]

/** Display names of the types. */
export const footerButtonNames: Readonly<Record<FooterButtonType, string>> = {
  SHOW_RESULTS: 'Show results',
  DOWNLOAD_DATA_PREP: 'Download data prep',
  OPEN_LINK: 'Open a page',
  SCROLL_TO_TILE: 'Scroll to a tile',
}

/** Default label of a button that shows results. */
const defaultButtonText = 'Show results'

/** Maximum number of buttons of an insight. */
export const maxFooterButtons = 24

/** The latest version of a saved data prep, by group and name. */
export const dataPrepName = z
  .looseObject({ groupName: z.string(), name: z.string() })
  .catch({ groupName: '', name: '' })

/** A button below the tiles. */
export const footerButton = z.looseObject({
  id: z.string().min(1),
  text,
  type: z
    .string()
    .transform((name) =>
      name
        .trim()
        .toUpperCase()
        .replace(/[^A-Z]+/g, '_'),
    )
    .catch('')
    .describe(
      'SHOW_RESULTS, DOWNLOAD_DATA_PREP, OPEN_LINK or SCROLL_TO_TILE; other values stay unchanged and have no effect.',
    ),
  dataPrep: dataPrepName.describe('What DOWNLOAD_DATA_PREP downloads.'),
  link: text.describe('Target of OPEN_LINK: a path of this application, for example `/Lake`.'),
  tileId: text.describe('Id of the target tile of SCROLL_TO_TILE.'),
})
/** A footer button, as a type. */
export type FooterButton = z.output<typeof footerButton>

/** Returns the valid footer buttons of an insight. */
export function footerButtonsOf({ footer }: Pick<InsightContent, 'footer'>): FooterButton[] {
  const buttons =
    typeof footer === 'object' && footer !== null && 'buttons' in footer ? footer.buttons : footer
  return listOf(footerButton).parse(buttons)
}

/** Replaces the buttons of the footer. Its other fields stay unchanged. */
export function withFooterButtons(
  { footer }: Pick<InsightContent, 'footer'>,
  buttons: readonly FooterButton[],
): { footer: object } {
  const rest = typeof footer === 'object' && footer !== null && !Array.isArray(footer) ? footer : {}
  return { footer: { ...rest, buttons } }
}

/** Creates a button: the first one shows results, the others are called `ButtonN`. */
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

/** Copies a button with a new id and a unique label. */
export function copiedFooterButton(
  button: FooterButton,
  id: string,
  others: readonly FooterButton[],
): FooterButton {
  return { ...structuredClone(button), id, text: freeText(others) }
}

/** Returns the path of a link; undefined for links to other sites. */
export function pathOfLink(link: string, origin: string): string | undefined {
  const typed = link.trim()
  if (typed === '' || !URL.canParse(typed, origin)) return undefined
  const address = new URL(typed, origin)
  return address.origin === origin ? `${address.pathname}${address.search}${address.hash}` : undefined
}

/** Returns whether a button is completely configured. */
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

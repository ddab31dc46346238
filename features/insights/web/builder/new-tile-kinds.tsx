import IconBolt from '@tabler/icons-react/dist/esm/icons/IconBolt.mjs'
import IconCalendarStats from '@tabler/icons-react/dist/esm/icons/IconCalendarStats.mjs'
import IconChartLine from '@tabler/icons-react/dist/esm/icons/IconChartLine.mjs'
import IconCode from '@tabler/icons-react/dist/esm/icons/IconCode.mjs'
import IconFileTypePdf from '@tabler/icons-react/dist/esm/icons/IconFileTypePdf.mjs'
import IconLayoutBottombar from '@tabler/icons-react/dist/esm/icons/IconLayoutBottombar.mjs'
import IconLayoutNavbar from '@tabler/icons-react/dist/esm/icons/IconLayoutNavbar.mjs'
import IconListCheck from '@tabler/icons-react/dist/esm/icons/IconListCheck.mjs'
import IconNumber123 from '@tabler/icons-react/dist/esm/icons/IconNumber123.mjs'
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import IconSchema from '@tabler/icons-react/dist/esm/icons/IconSchema.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import IconTable from '@tabler/icons-react/dist/esm/icons/IconTable.mjs'
import IconTypography from '@tabler/icons-react/dist/esm/icons/IconTypography.mjs'
import type { ReactNode } from 'react'
import type { MenuEntry } from '@headwater/web-kit'
import type { InsightContent } from '@headwater/tile-data/contract'
import { workflowKinds } from '@headwater/tiles/web'
import { canAddPart, type NewPart } from './new-part.ts'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** The kinds of charts. */
export const newChartKinds = [
  {
    id: 'advanced',
    label: 'Advanced chart',
    text: 'Lines, areas, bars and dots on two axes, with settings for each series.',
    icon: <IconChartLine {...icon} />,
  },
  {
    id: 'seasonality',
    label: 'Seasonality chart',
    text: 'Draws each year of a series as a separate line.',
    icon: <IconCalendarStats {...icon} />,
  },
  {
    id: 'quick',
    label: 'Quick chart',
    text: 'Pick series and see them immediately.',
    icon: <IconBolt {...icon} />,
  },
] as const

/** The kinds of tiles other than charts that display data. */
export const newDataKinds = [
  { id: 'table', label: 'Table', text: 'The values of series, newest first.', icon: <IconTable {...icon} /> },
  {
    id: 'stats',
    label: 'Stats',
    text: 'A value, its change and a sparkline.',
    icon: <IconNumber123 {...icon} />,
  },
  {
    id: 'text',
    label: 'Text',
    text: 'Markdown, written here or from a file.',
    icon: <IconTypography {...icon} />,
  },
  { id: 'code', label: 'Code', text: 'Custom HTML or Python.', icon: <IconCode {...icon} /> },
  { id: 'image', label: 'Image', text: 'An image from the data lake.', icon: <IconPhoto {...icon} /> },
  { id: 'pdf', label: 'PDF', text: 'The pages of a PDF file.', icon: <IconFileTypePdf {...icon} /> },
  {
    id: 'search',
    label: 'Search',
    text: 'Search for symbols and view their values.',
    icon: <IconSearch {...icon} />,
  },
] as const

/** The kinds of tiles that belong to pipelines. */
export const newWorkflowKinds = [
  {
    id: 'autoPipeline',
    label: 'Auto pipeline',
    text: workflowKinds.AUTO_PIPELINE.text,
    icon: <IconPlayerPlay {...icon} />,
  },
  {
    id: 'status',
    label: 'Status',
    text: workflowKinds.STATUS.text,
    icon: <IconListCheck {...icon} />,
  },
  {
    id: 'diagram',
    label: 'Diagram',
    text: workflowKinds.DIAGRAM.text,
    icon: <IconSchema {...icon} />,
  },
] as const

/** A kind of new tile. */
export type NewTileKind = (
  (typeof newChartKinds)[number] | (typeof newDataKinds)[number] | (typeof newWorkflowKinds)[number]
)['id']

/** The parts above and below the tiles. */
export const newParts = [
  {
    id: 'box',
    label: 'Summary box',
    text: 'A title with a text or a figure, above the tiles.',
    icon: <IconLayoutNavbar {...icon} />,
  },
  {
    id: 'button',
    label: 'Footer button',
    text: 'Shows results, downloads a file, or opens a page or a tile.',
    icon: <IconLayoutBottombar {...icon} />,
  },
] as const
/** The heading over {@link newParts}. */
export const newPartsHeading = 'Header and footer'

/**
 * Returns the menu of the kinds of tiles and other parts; pipeline kinds are included only for users who can see
 * pipelines.
 */
export function newTileMenu(
  content: InsightContent,
  { onAdd, onAddPart }: { onAdd: (kind: NewTileKind) => void; onAddPart: (part: NewPart) => void },
  { workflows }: { workflows: boolean },
): MenuEntry[] {
  const items = (kinds: readonly { id: NewTileKind; label: string; icon: ReactNode }[]): MenuEntry[] =>
    kinds.map(({ id, label, icon: sign }) => ({ label, icon: sign, onClick: () => onAdd(id) }))
  const parts = newParts.map(({ id, label, icon: sign }) => ({
    label,
    icon: sign,
    disabled: !canAddPart(content, id),
    onClick: () => onAddPart(id),
  }))
  return [
    { heading: 'Chart' },
    ...items(newChartKinds),
    { heading: 'Other content' },
    ...items(newDataKinds),
    ...(workflows ? [{ heading: 'Pipelines' }, ...items(newWorkflowKinds)] : []),
    { heading: newPartsHeading },
    ...parts,
  ]
}

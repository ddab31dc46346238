import type { ReactNode } from 'react'
import IconCalendarX from '@tabler/icons-react/dist/esm/icons/IconCalendarX.mjs'
import type { TileSource } from '@headwater/tile-data/core'
import { EmptyState } from '@headwater/web-kit'
import { TileMessage } from './TileStates.tsx'

const chosenTexts: Record<TileSource['kind'], { title: string; text: string }> = {
  series: { title: 'No series yet', text: 'Add series in the panel on the right.' },
  basket: { title: 'The basket is empty', text: 'Add series to the basket of the insight.' },
  dataPrep: { title: 'No data prep yet', text: 'Choose a data prep in the panel on the right.' },
  file: { title: 'No file yet', text: 'Choose a file in the panel on the right.' },
  tile: { title: 'No tile yet', text: 'Choose a tile in the panel on the right.' },
  text: { title: 'No rows yet', text: 'Type or paste CSV in the panel on the right.' },
}

/** The state of a tile without a query: either no data have been chosen, or its range ends before it begins. */
export default function NoQuery({
  icon,
  editing,
  kind,
  isBackwards = false,
}: {
  icon: ReactNode
  editing: boolean
  kind: TileSource['kind']
  /** Whether data have been chosen and the range is the reason. Default false. */
  isBackwards?: boolean
}) {
  if (isBackwards) return <BackwardsRange editing={editing} isBasket={kind === 'basket'} />
  const { title, text } = chosenTexts[kind]
  return (
    <TileMessage>
      <EmptyState icon={icon} title={title}>
        {editing || kind === 'basket' ? text : 'Edit the insight to add some.'}
      </EmptyState>
    </TileMessage>
  )
}

function BackwardsRange({ editing, isBasket }: { editing: boolean; isBasket: boolean }) {
  return (
    <TileMessage>
      <EmptyState icon={<IconCalendarX size={20} stroke={1.6} />} title="The range ends before it begins">
        {isBasket
          ? 'Correct the dates of the basket under SETTINGS in its panel.'
          : editing
            ? 'Correct its dates under Data in the panel on the right.'
            : 'Edit the insight to correct the dates of this tile.'}
      </EmptyState>
    </TileMessage>
  )
}

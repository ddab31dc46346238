import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import { Button, lazyPart, Skeleton, useSlot } from '@headwater/web-kit'
import type { Insight } from '../../../contract/index.ts'
import { InsightStar } from '../../components/InsightStar.tsx'
import { PartFrame } from '../../components/PartFrame.tsx'
import { insightActions } from '../../slots.ts'
import type { OpenDialog } from './open-dialog.ts'
import { useFitsBuilder } from './use-fits-builder.ts'

// The icons load after the tiles, because readers need them later.
const ReaderMenu = lazyPart(() => import('./ReaderMenu.tsx'))

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** The buttons in the header of an insight for readers. */
export function ReaderActions({
  insight,
  onEdit,
  onDialog,
}: {
  insight: Insight
  /** Opens the builder. */
  onEdit: () => void
  /** Opens a dialog; undefined closes the open one. */
  onDialog: (dialog: OpenDialog | undefined) => void
}) {
  const actions = useSlot(insightActions)
  const fitsBuilder = useFitsBuilder()
  return (
    <>
      <InsightStar name={insight} />
      <PartFrame waiting={<Skeleton width={28} height={28} />}>
        <ReaderMenu insight={insight} onDialog={onDialog} />
      </PartFrame>
      {actions.map((Action, index) => (
        <PartFrame key={index}>
          <Action insight={insight} onDialog={(isOpen) => onDialog(isOpen ? 'action' : undefined)} />
        </PartFrame>
      ))}
      {insight.writeAccess && fitsBuilder ? (
        <Button variant="primary" icon={<IconPencil {...icon} />} onClick={onEdit}>
          Edit
        </Button>
      ) : null}
    </>
  )
}

import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { IconButton } from '@headwater/web-kit'
import styles from './Editor.module.css'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** What can be done to a header box or a footer button besides changing it. */
export function PartTools(props: {
  /** What it is called, for those who do not see where the buttons stand. */
  name: string
  /** Its place among those of its kind, counted from 0, and how many there are. */
  place: number
  count: number
  /** Whether there may be no more of them. */
  full: boolean
  onDuplicate: () => void
  onMove: (by: number) => void
  onRemove: () => void
}) {
  const { name, place, count, full } = props
  return (
    <div className={styles.tools}>
      <IconButton
        label={`Duplicate ${name}`}
        icon={<IconCopy {...icon} />}
        disabled={full}
        onClick={props.onDuplicate}
      />
      <IconButton
        label={`Move ${name} to the left`}
        icon={<IconArrowLeft {...icon} />}
        disabled={place === 0}
        onClick={() => props.onMove(-1)}
      />
      <IconButton
        label={`Move ${name} to the right`}
        icon={<IconArrowRight {...icon} />}
        disabled={place === count - 1}
        onClick={() => props.onMove(1)}
      />
      <IconButton label={`Delete ${name}`} icon={<IconTrash {...icon} />} onClick={props.onRemove} />
    </div>
  )
}

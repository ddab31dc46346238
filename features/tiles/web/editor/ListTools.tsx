import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { IconButton } from '@headwater/web-kit'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** The buttons of a list item: move, duplicate and remove, if they have a label. */
export function ListTools<Item>({
  list,
  index,
  labels: { up, down, duplicate, remove },
  onChange,
  onDuplicate = (item) => onChange(list.toSpliced(index + 1, 0, item), index + 1),
  onRemove = () => onChange(list.toSpliced(index, 1), index),
}: {
  list: readonly Item[]
  index: number
  labels: { up?: string; down?: string; duplicate?: string; remove?: string }
  /** Receives the new list, and the index of the item or of its copy. */
  onChange: (list: Item[], index: number) => void
  onDuplicate?: (item: Item) => void
  onRemove?: (item: Item) => void
}) {
  const item = list[index]!
  const moveTo = (to: number) => onChange(list.toSpliced(index, 1).toSpliced(to, 0, item), to)
  return (
    <>
      {up === undefined ? null : (
        <IconButton
          label={up}
          icon={<IconArrowUp {...icon} />}
          disabled={index === 0}
          onClick={() => moveTo(index - 1)}
        />
      )}
      {down === undefined ? null : (
        <IconButton
          label={down}
          icon={<IconArrowDown {...icon} />}
          disabled={index === list.length - 1}
          onClick={() => moveTo(index + 1)}
        />
      )}
      {duplicate === undefined ? null : (
        <IconButton label={duplicate} icon={<IconCopy {...icon} />} onClick={() => onDuplicate(item)} />
      )}
      {remove === undefined ? null : (
        <IconButton label={remove} icon={<IconTrash {...icon} />} onClick={() => onRemove(item)} />
      )}
    </>
  )
}

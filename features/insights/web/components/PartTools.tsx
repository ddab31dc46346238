import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { IconButton } from '@headwater/web-kit'
import { editorStyles as styles } from '@headwater/tiles/web'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** Actions for a header box or footer button besides editing it. */
export function PartTools<Part extends { id: string }>({
  name,
  part,
  parts,
  limit,
  copy,
  onChange,
  onSelect,
}: {
  /** Accessible name. */
  name: string
  part: Part
  /** All of its kind, at most `limit`. */
  parts: readonly Part[]
  limit: number
  /** Returns a copy with a new id. */
  copy: () => Part
  onChange: (parts: Part[]) => void
  onSelect: (id: string | undefined) => void
}) {
  const index = parts.findIndex(({ id }) => id === part.id)
  const rest = parts.toSpliced(index, 1)
  function duplicate() {
    const added = copy()
    onChange(parts.toSpliced(index + 1, 0, added))
    onSelect(added.id)
  }
  function remove() {
    onChange(rest)
    onSelect(undefined)
  }
  return (
    <div className={styles.tools}>
      <IconButton
        label={`Duplicate ${name}`}
        icon={<IconCopy {...icon} />}
        disabled={parts.length >= limit}
        onClick={duplicate}
      />
      <IconButton
        label={`Move ${name} to the left`}
        icon={<IconArrowLeft {...icon} />}
        disabled={index === 0}
        onClick={() => onChange(rest.toSpliced(index - 1, 0, part))}
      />
      <IconButton
        label={`Move ${name} to the right`}
        icon={<IconArrowRight {...icon} />}
        disabled={index === parts.length - 1}
        onClick={() => onChange(rest.toSpliced(index + 1, 0, part))}
      />
      <IconButton label={`Delete ${name}`} icon={<IconTrash {...icon} />} onClick={remove} />
    </div>
  )
}

import { useState } from 'react'
import IconArrowBarToLeft from '@tabler/icons-react/dist/esm/icons/IconArrowBarToLeft.mjs'
import IconArrowBarToRight from '@tabler/icons-react/dist/esm/icons/IconArrowBarToRight.mjs'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconColumns3 from '@tabler/icons-react/dist/esm/icons/IconColumns3.mjs'
import { Button, Checkbox, IconButton, Popover } from '@headwater/web-kit'
import styles from './ColumnsPopover.module.css'

/** The width that a column begins with when it is made narrower or wider, and by how much that is. */
const usualPx = 160
const stepPx = 40

/** Chooses which columns are shown, and in which order. */
export function ColumnsPopover(props: {
  offered: readonly { id: string; name: string }[]
  /** Ids of the columns shown, in their order. */
  shown: readonly string[]
  onChange: (shown: string[]) => void
  /** What else can be changed; absent where columns are only chosen. */
  arrange?: {
    /** Widths in pixels of the columns that have one of their own. */
    widths: Readonly<Record<string, number>>
    onResize: (id: string, widthPx: number) => void
    /** Back to the columns as they come. */
    onReset: () => void
  }
}) {
  const { offered, shown, onChange, arrange } = props
  const [open, setOpen] = useState(false)
  const hidden = offered.filter(({ id }) => !shown.includes(id))
  const ordered = [...shown.flatMap((id) => offered.find((column) => column.id === id) ?? []), ...hidden]
  const listed = arrange === undefined ? offered : ordered
  const move = (id: string, by: number) => {
    const at = shown.indexOf(id)
    onChange(shown.toSpliced(at, 1).toSpliced(at + by, 0, id))
  }
  return (
    <Popover
      label="Columns"
      open={open}
      onClose={() => setOpen(false)}
      position="bottom-end"
      width={arrange === undefined ? 220 : 320}
      trigger={
        <Button
          icon={<IconColumns3 size={16} stroke={1.6} />}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          Columns
        </Button>
      }
    >
      <ul className={styles.list}>
        {listed.map(({ id, name }) => {
          const at = shown.indexOf(id)
          return (
            <li key={id}>
              <Checkbox
                label={name}
                checked={at >= 0}
                disabled={at >= 0 && shown.length === 1}
                onChange={(checked) =>
                  onChange(
                    checked
                      ? arrange === undefined
                        ? offered.flatMap((column) =>
                            column.id === id || shown.includes(column.id) ? [column.id] : [],
                          )
                        : [...shown, id]
                      : shown.filter((each) => each !== id),
                  )
                }
              />
              {at >= 0 && arrange !== undefined ? (
                <span className={styles.move}>
                  <IconButton
                    label={`Move ${name} up`}
                    disabled={at === 0}
                    icon={<IconArrowUp size={14} stroke={1.6} />}
                    onClick={() => move(id, -1)}
                  />
                  <IconButton
                    label={`Move ${name} down`}
                    disabled={at === shown.length - 1}
                    icon={<IconArrowDown size={14} stroke={1.6} />}
                    onClick={() => move(id, 1)}
                  />
                  <IconButton
                    label={`Make ${name} narrower`}
                    icon={<IconArrowBarToLeft size={14} stroke={1.6} />}
                    onClick={() =>
                      arrange.onResize(id, Math.max(40, (arrange.widths[id] ?? usualPx) - stepPx))
                    }
                  />
                  <IconButton
                    label={`Make ${name} wider`}
                    icon={<IconArrowBarToRight size={14} stroke={1.6} />}
                    onClick={() => arrange.onResize(id, (arrange.widths[id] ?? usualPx) + stepPx)}
                  />
                </span>
              ) : null}
            </li>
          )
        })}
      </ul>
      {arrange === undefined ? null : (
        <Button variant="quiet" size="small" onClick={arrange.onReset}>
          Reset columns
        </Button>
      )}
    </Popover>
  )
}

import { useState } from 'react'
import IconArrowBarToLeft from '@tabler/icons-react/dist/esm/icons/IconArrowBarToLeft.mjs'
import IconArrowBarToRight from '@tabler/icons-react/dist/esm/icons/IconArrowBarToRight.mjs'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconColumns3 from '@tabler/icons-react/dist/esm/icons/IconColumns3.mjs'
import { Button, Checkbox, IconButton, Popover } from '@headwater/web-kit'
import styles from './ColumnsPopover.module.css'

/** Initial width in pixels of a column without its own width, and the step of the buttons. */
const usualPx = 160
const stepPx = 40

/** Popover to select, order and resize columns. */
export function ColumnsPopover(props: {
  offered: readonly { id: string; name: string }[]
  /** Ids of the visible columns, in their order. */
  visible: readonly string[]
  onChange: (visible: string[]) => void
  /** Changes of order and width; absent if columns can only be selected. */
  arrange?: {
    /** Widths in pixels, by id, of the resized columns. */
    widths: Readonly<Record<string, number>>
    onResize: (id: string, widthPx: number) => void
    /** Restores the default columns. */
    onReset: () => void
  }
}) {
  const { offered, visible, onChange, arrange } = props
  const [open, setOpen] = useState(false)
  const hidden = offered.filter(({ id }) => !visible.includes(id))
  const ordered = [...visible.flatMap((id) => offered.find((column) => column.id === id) ?? []), ...hidden]
  const listed = arrange === undefined ? offered : ordered
  const move = (id: string, by: number) => {
    const at = visible.indexOf(id)
    onChange(visible.toSpliced(at, 1).toSpliced(at + by, 0, id))
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
          const at = visible.indexOf(id)
          return (
            <li key={id}>
              <Checkbox
                label={name}
                checked={at >= 0}
                disabled={at >= 0 && visible.length === 1}
                onChange={(checked) =>
                  onChange(
                    checked
                      ? arrange === undefined
                        ? offered.flatMap((column) =>
                            column.id === id || visible.includes(column.id) ? [column.id] : [],
                          )
                        : [...visible, id]
                      : visible.filter((each) => each !== id),
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
                    disabled={at === visible.length - 1}
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

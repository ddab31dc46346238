import { useState } from 'react'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconColumns3 from '@tabler/icons-react/dist/esm/icons/IconColumns3.mjs'
import { Button, Checkbox, IconButton, Popover } from '@headwater/web-kit'
import styles from './ColumnsPopover.module.css'

/** Chooses which columns are shown, and in which order. */
export function ColumnsPopover(props: {
  offered: readonly { id: string; name: string }[]
  /** Ids of the columns shown, in their order. */
  shown: readonly string[]
  onChange: (shown: string[]) => void
  /** Back to the columns as they come; absent where the order cannot be changed. */
  onReset?: () => void
  size?: 'small'
}) {
  const { offered, shown, onChange, onReset, size } = props
  const [open, setOpen] = useState(false)
  const hidden = offered.filter(({ id }) => !shown.includes(id))
  const ordered = [
    ...shown.flatMap((id) => offered.find((column) => column.id === id) ?? []),
    ...(onReset === undefined ? [] : hidden),
  ]
  const listed = onReset === undefined ? offered : ordered
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
      width={260}
      trigger={
        <Button
          icon={<IconColumns3 size={size === undefined ? 16 : 14} stroke={1.6} />}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          {...(size === undefined ? {} : { size })}
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
                      ? onReset === undefined
                        ? offered.flatMap((column) =>
                            column.id === id || shown.includes(column.id) ? [column.id] : [],
                          )
                        : [...shown, id]
                      : shown.filter((each) => each !== id),
                  )
                }
              />
              {at >= 0 && onReset !== undefined ? (
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
                </span>
              ) : null}
            </li>
          )
        })}
      </ul>
      {onReset === undefined ? null : (
        <Button variant="quiet" size="small" onClick={onReset}>
          Back to the usual columns
        </Button>
      )}
    </Popover>
  )
}

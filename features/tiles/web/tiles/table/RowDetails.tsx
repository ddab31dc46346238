import { Button, Dialog } from '@headwater/web-kit'
import styles from './TableTile.module.css'

/** A dialog with all cells of a row, including hidden columns. */
export function RowDetails({
  title,
  cells,
  onClose,
}: {
  title: string
  cells: readonly { name: string; text: string }[]
  onClose: () => void
}) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      width={460}
      actions={
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <dl className={styles.details}>
        {cells.map(({ name, text }, index) => (
          <div key={index}>
            <dt>{name}</dt>
            <dd>{text === '' ? '–' : text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

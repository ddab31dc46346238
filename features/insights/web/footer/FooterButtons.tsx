import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Button, message, toastError } from '@headwater/web-kit'
import type { Tile } from '@headwater/tile-data/contract'
import { useSelectedInView } from '@headwater/tiles/web'
import { downloadPrep } from './download-prep.ts'
import { type FooterButton, isComplete, pathOfLink } from './footer-button.ts'
import styles from './FooterButtons.module.css'

/** The buttons below the tiles. In the builder, a click only selects a button. */
export default function FooterButtons({
  buttons,
  tiles,
  editing,
  selectedId,
  onSelect,
  onTile,
  onShowResults,
}: {
  buttons: readonly FooterButton[]
  tiles: readonly Tile[]
  editing: boolean
  selectedId: string | undefined
  onSelect: (id: string) => void
  /** Scrolls to the tile with a title. */
  onTile: (title: string) => void
  /** Applies the parameters; undefined if there are none. */
  onShowResults: (() => void) | undefined
}) {
  const navigate = useNavigate()
  const [busyId, setBusyId] = useState<string>()

  async function act(button: FooterButton) {
    switch (button.type) {
      case 'SHOW_RESULTS':
        onShowResults?.()
        return
      case 'SCROLL_TO_TILE': {
        const title = tiles.find(({ id }) => id === button.tileId)?.title
        if (title === undefined) message('The tile of this button no longer exists.', 'error')
        else onTile(title)
        return
      }
      case 'OPEN_LINK':
        await navigate(pathOfLink(button.link, location.origin)!)
        return
      case 'DOWNLOAD_DATA_PREP':
        await download(button)
    }
  }
  async function download({ id, dataPrep }: FooterButton) {
    setBusyId(id)
    try {
      await downloadPrep(dataPrep)
      message('Download started.')
    } catch (error) {
      toastError(error)
    } finally {
      setBusyId(undefined)
    }
  }

  return (
    <div
      ref={useSelectedInView(editing ? selectedId : undefined)}
      className={styles.buttons}
      role="group"
      aria-label="Actions for the insight"
      data-background
    >
      {buttons.map((button) => {
        const useless =
          !isComplete(button, location.origin) ||
          (button.type === 'SHOW_RESULTS' && onShowResults === undefined)
        return (
          <span
            key={button.id}
            className={styles.row}
            data-selected={(editing && button.id === selectedId) || undefined}
          >
            <Button
              busy={busyId === button.id}
              disabled={!editing && useless}
              onClick={() => (editing ? onSelect(button.id) : void act(button))}
            >
              {button.text === '' ? 'Button' : button.text}
            </Button>
          </span>
        )
      })}
    </div>
  )
}

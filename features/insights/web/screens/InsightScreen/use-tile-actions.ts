import { useId, useState } from 'react'
import { createStore, message, saveBlob, toast, toastDownloadError } from '@headwater/web-kit'
import {
  cleanTitle,
  newTitle,
  uniqueTitle,
  type Tile,
  type TileDataPrep,
} from '@headwater/tile-data/contract'
import { dataPrepOf } from '@headwater/tile-data/core'
import { newId } from '../../builder/new-id.ts'
import { fileNameOf } from '@headwater/tiles/web'
import type { TileActions } from '../../components/TileGrid.tsx'
import { readFileText } from './read-file-text.ts'
import type { DraftState } from './use-draft.ts'

const loadConfigurations = () => import('../../builder/tile-configuration.ts')

/** Provides the actions on the tiles of a draft. `goToTile` scrolls to the tile with a title. */
export function useTileActions({ draft, act, remove }: DraftState, goToTile: (title: string) => void) {
  const { content } = draft
  const [importing] = useState(() => createStore<string | undefined>(undefined))
  const fileInputId = useId()
  const tileOf = (id: string) => content.tiles.find((tile) => tile.id === id)
  const titles = content.tiles.map((tile) => tile.title)

  const actions: TileActions = {
    onSelect: (id) => act({ type: 'select', id }),
    onDuplicate(id) {
      const original = tileOf(id)
      if (original === undefined) return
      act({ type: 'duplicate', id, newId: newId() })
      goToTile(uniqueTitle(original.title, titles))
    },
    onRemove: (id) => remove(id, tileOf(id)?.title ?? ''),
    onExport(id) {
      const tile = tileOf(id)
      if (tile === undefined) return
      void loadConfigurations()
        .then(({ exportTile }) => {
          const text = exportTile(tile, dataPrepOf(content, id))
          saveBlob(new Blob([text], { type: 'application/json' }), fileNameOf(tile.title, 'json'))
        })
        .catch(toastDownloadError)
    },
    onImport(id) {
      importing.set(id)
      document.getElementById(fileInputId)?.click()
    },
    onMove: (id, to) => act({ type: 'move', id, to }),
    onResize: (id, size) => act({ type: 'resize', id, size }),
    onChange: (id, fields, topic) => act({ type: 'change', id, fields, topic }),
  }

  return {
    /** The actions on the tiles. */
    actions,
    /** Id of the hidden file input for a configuration. */
    fileInputId,
    /** Adds a tile after the selected one, selects it and scrolls to it. */
    addTile: (tile: Tile, dataPrep?: TileDataPrep) => {
      act({ type: 'add', tile, dataPrep })
      goToTile(newTitle(cleanTitle(tile.title), titles))
    },
    /** Replaces the tile of the last `onImport` with the configuration in a file. */
    importFile: async (file: File | undefined) => {
      const id = importing.get()
      const tile = id === undefined ? undefined : tileOf(id)
      if (file === undefined || tile === undefined) return
      const { importTile } = await loadConfigurations()
      const imported = importTile(await readFileText(file), tile.type)
      if (!imported.ok) {
        toast({ kind: 'error', title: imported.message })
        return
      }
      act({ type: 'replace', id: tile.id, tile: imported.tile, dataPrep: imported.dataPrep })
      message('Configuration applied succesfully.')
    },
  }
}

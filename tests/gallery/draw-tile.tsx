import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { createQueryClient, ThemeProvider } from '@headwater/web-kit'
import '@headwater/web-kit/theme/mantine.css'
import '@headwater/web-kit/theme/base.css'
import type { Tile } from '@headwater/tile-data/contract'
import TableTileView from '../../features/tiles/web/tiles/table/TableTile.tsx'
import type { CardProps } from '../../features/tiles/web/tiles/tile-view.ts'
import type { TileCase } from './gallery-case.ts'

const nothing = () => undefined
/** Maximum number of frames to wait for. */
const mostFrames = 600

/** Renders a tile on a card like the page of an insight, and waits until its rows and styles are complete. */
export async function drawTile(card: HTMLElement, { tile: stored, scrolled }: TileCase): Promise<void> {
  const tile = stored as Tile
  const props: CardProps = {
    tile,
    editing: false,
    selected: false,
    dragged: false,
    drop: undefined,
    onSelect: nothing,
    onDuplicate: nothing,
    onRemove: nothing,
    onExport: nothing,
    onImport: nothing,
    onMove: nothing,
    onDragStart: nothing,
    resize: undefined,
    onResizeStart: nothing,
    onResizeStep: nothing,
  }
  card.classList.add('tile')
  const client = createQueryClient()
  const view = <TableTileView tile={tile} dataPrep={{ symbols: [] }} card={props} />
  createRoot(card).render(
    <ThemeProvider>
      <QueryClientProvider client={client}>
        <RouterProvider router={createMemoryRouter([{ path: '*', element: view }])} />
      </QueryClientProvider>
    </ThemeProvider>,
  )
  // Cell styles can need code that loads separately.
  const isDrawn = () => card.querySelector('[data-index]') !== null && client.isFetching() === 0
  for (let frame = 0; !isDrawn(); frame++) {
    if (frame === mostFrames) throw new Error('The tile is not drawn.')
    await nextFrame()
  }
  const [left, top] = scrolled ?? [0, 0]
  card.querySelector('[role=grid]')!.scrollTo(left, top)
  await nextFrame()
  await nextFrame()
}

function nextFrame(): Promise<unknown> {
  return new Promise(requestAnimationFrame)
}

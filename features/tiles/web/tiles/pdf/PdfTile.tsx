import { useMemo, useState } from 'react'
import IconFileTypePdf from '@tabler/icons-react/dist/esm/icons/IconFileTypePdf.mjs'
import IconZoomIn from '@tabler/icons-react/dist/esm/icons/IconZoomIn.mjs'
import IconZoomOut from '@tabler/icons-react/dist/esm/icons/IconZoomOut.mjs'
import { maxPdfBytes, PdfPages, pdfProblem, usePdf } from '@headwater/editors/web'
import { headingOf } from '@headwater/tile-data/contract'
import { Badge, EmptyState, IconButton } from '@headwater/web-kit'
import { TileHeader } from '../../card/TileCard.tsx'
import { TileError, TileMessage, TileSkeleton } from '../../card/TileStates.tsx'
import { useLakeFile } from '../../card/use-lake-file.ts'
import { useTileExport } from '../../exports/tile-exports.ts'
import type { TileViewProps } from '../tile-view.ts'
import { pdfTile, scaleBounds } from './pdf-tile.ts'
import styles from './PdfTile.module.css'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const
/** Zoom step in percent of the tile width. */
const zoomStep = 25

/** The pages of a PDF file in the lake. */
export default function PdfTileView({ tile, card }: TileViewProps) {
  const { source, scale } = useMemo(() => pdfTile.parse(tile), [tile])
  const { value } = source
  const { data, error, retry } = useLakeFile(value, maxPdfBytes)
  const opened = usePdf(data?.content)
  const [zoom, setZoom] = useState(scale)
  const [stored, setStored] = useState(scale)
  if (stored !== scale) {
    setStored(scale)
    setZoom(scale)
  }
  useTileExport(tile.id, {
    state: 'ready',
    note:
      value.fileName === ''
        ? 'No file was chosen.'
        : `The file ${value.fileName} of the group ${value.groupName}.`,
  })
  const [page, setPage] = useState(1)
  if (value.fileName === '')
    return (
      <TileMessage>
        <EmptyState icon={<IconFileTypePdf size={20} stroke={1.6} />} title="No PDF yet">
          {card.editing
            ? 'Choose or upload one in the panel on the right.'
            : 'Edit the insight to choose one.'}
        </EmptyState>
      </TileMessage>
    )
  if (error) return <TileError error={error} onRetry={retry} />
  if (opened?.problem !== undefined)
    return (
      <TileMessage>
        <EmptyState icon={<IconFileTypePdf size={20} stroke={1.6} />} title="This PDF cannot be displayed">
          {pdfProblem(opened.problem, value.fileName)}
        </EmptyState>
      </TileMessage>
    )
  if (opened?.pdf === undefined) return <TileSkeleton shape="text" />
  const { pdf } = opened
  const zoomBy = (by: number) =>
    setZoom((before) => Math.min(scaleBounds.most, Math.max(scaleBounds.least, before + by)))
  return (
    <>
      <TileHeader
        badges={
          <Badge>
            page {page} of {pdf.numPages}
          </Badge>
        }
        actions={
          <>
            <IconButton
              label="Zoom out"
              icon={<IconZoomOut {...icon} />}
              disabled={zoom <= scaleBounds.least}
              onClick={() => zoomBy(-zoomStep)}
            />
            <span className={styles.zoom} role="status" aria-label="Zoom level">
              {zoom}%
            </span>
            <IconButton
              label="Zoom in"
              icon={<IconZoomIn {...icon} />}
              disabled={zoom >= scaleBounds.most}
              onClick={() => zoomBy(zoomStep)}
            />
          </>
        }
      />
      <PdfPages
        pdf={pdf}
        label={`Pages of ${headingOf(tile)}`}
        widthOf={(_, frameWidthPx) => (frameWidthPx * zoom) / 100}
        onPage={setPage}
      />
    </>
  )
}

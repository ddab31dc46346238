import { useMemo, useState } from 'react'
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import IconPhotoOff from '@tabler/icons-react/dist/esm/icons/IconPhotoOff.mjs'
import { imageTypeOf, maxImageBytes, type PictureRefusal, usePicture } from '@headwater/editors/web'
import { headingOf } from '@headwater/tile-data/contract'
import { EmptyState } from '@headwater/web-kit'
import { TileError, TileMessage, TileSkeleton } from '../../card/TileStates.tsx'
import { useLakeFile } from '../../card/use-lake-file.ts'
import { useTileExport } from '../../exports/tile-exports.ts'
import type { TileViewProps } from '../tile-view.ts'
import { imageTile } from './image-tile.ts'
import styles from './ImageTile.module.css'

/** A picture in the lake. */
export default function ImageTileView({ tile, card }: TileViewProps) {
  const definition = useMemo(() => imageTile.parse(tile), [tile])
  const { value } = definition.source
  const { data, error, retry } = useLakeFile(value, maxImageBytes)
  const picture = usePicture(data?.content)
  useTileExport(tile.id, {
    state: error ? 'failed' : picture === undefined && value.fileName !== '' ? 'loading' : 'ready',
    problem: error?.message,
    ...(picture?.address === undefined || data === undefined
      ? {
          note: picture?.refusal
            ? `${value.fileName} ${refusals[picture.refusal].note}`
            : 'No image was chosen.',
        }
      : { picture: async () => new Blob([data.content], { type: await imageTypeOf(data.content) }) }),
  })
  if (value.fileName === '')
    return (
      <TileMessage>
        <EmptyState icon={<IconPhoto size={20} stroke={1.6} />} title="No image yet">
          {card.editing
            ? 'Choose or upload one in the panel on the right.'
            : 'Edit the insight to choose one.'}
        </EmptyState>
      </TileMessage>
    )
  if (error) return <TileError error={error} onRetry={retry} />
  if (picture === undefined) return <TileSkeleton shape="text" />
  if (picture.refusal) return <NoPicture fileName={value.fileName} why={picture.refusal} />
  return (
    <Picture
      key={picture.address}
      address={picture.address}
      definition={definition}
      title={headingOf(tile)}
    />
  )
}

function Picture({
  address,
  definition,
  title,
}: {
  address: string
  definition: ReturnType<typeof imageTile.parse>
  title: string
}) {
  const [broken, setBroken] = useState(false)
  const { fit, alternativeText, source } = definition
  if (broken) return <NoPicture fileName={source.value.fileName} why="none" />
  const scrolls = fit === 'width' || fit === 'none'
  return (
    <div
      className={styles.frame}
      data-fit={fit}
      {...(scrolls ? { tabIndex: 0, role: 'group', 'aria-label': `Image of ${title}` } : {})}
    >
      <img
        className={styles.image}
        src={address}
        alt={alternativeText === '' ? title : alternativeText}
        onError={() => setBroken(true)}
      />
    </div>
  )
}

/** Messages about pictures that cannot be displayed, by reason. */
const refusals: Record<PictureRefusal, { title: string; note: string; advice: string }> = {
  none: {
    title: 'This is not an image',
    note: 'is not an image.',
    advice: 'cannot be displayed. Choose a PNG, JPEG, WebP, GIF or SVG file.',
  },
  heavy: {
    title: 'This image takes too long to draw',
    note: 'takes too long to draw.',
    advice: 'is too complex to draw. Save it as a PNG, or simplify the SVG.',
  },
}

function NoPicture({ fileName, why }: { fileName: string; why: PictureRefusal }) {
  return (
    <TileMessage>
      <EmptyState icon={<IconPhotoOff size={20} stroke={1.6} />} title={refusals[why].title}>
        {fileName} {refusals[why].advice}
      </EmptyState>
    </TileMessage>
  )
}

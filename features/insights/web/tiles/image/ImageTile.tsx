import { useEffect, useMemo, useState } from 'react'
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import IconPhotoOff from '@tabler/icons-react/dist/esm/icons/IconPhotoOff.mjs'
import { EmptyState } from '@headwater/web-kit'
import { TileError, TileMessage, TileSkeleton } from '../../components/TileStates.tsx'
import { useLakeFile } from '../../components/use-lake-file.ts'
import { useTileExport } from '../../exports/tile-exports.ts'
import type { TileViewProps } from '../tile-view.ts'
import { imageTile } from './image-tile.ts'
import { imageTypeOf } from './image-type.ts'
import styles from './ImageTile.module.css'

/** The largest picture that is shown. */
const maxBytes = 50_000_000

/** A picture of the lake. */
export default function ImageTileView({ tile, card }: TileViewProps) {
  const definition = useMemo(() => imageTile.parse(tile), [tile])
  const { value } = definition.source
  const { data, error, retry } = useLakeFile(value, maxBytes)
  const picture = usePicture(data?.content)
  useTileExport(tile.id, {
    state: error ? 'failed' : picture === undefined && value.fileName !== '' ? 'loading' : 'ready',
    problem: error?.message,
    ...(picture === undefined || picture === 'none' || data === undefined
      ? { note: picture === 'none' ? `${value.fileName} is no picture.` : 'It has no picture.' }
      : { picture: async () => new Blob([data.content], { type: await imageTypeOf(data.content) }) }),
  })
  if (value.fileName === '')
    return (
      <TileMessage>
        <EmptyState icon={<IconPhoto size={20} stroke={1.6} />} title="No picture yet">
          {card.editing
            ? 'Choose a PNG, JPEG, WebP, GIF or SVG file in the panel on the right.'
            : 'Edit the insight to choose one.'}
        </EmptyState>
      </TileMessage>
    )
  if (error) return <TileError error={error} onRetry={retry} />
  if (picture === undefined) return <TileSkeleton shape="text" />
  if (picture === 'none') return <NoPicture fileName={value.fileName} />
  return <Picture key={picture} address={picture} definition={definition} title={tile.title} />
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
  if (broken) return <NoPicture fileName={source.value.fileName} />
  const scrolls = fit === 'width' || fit === 'none'
  return (
    <div
      className={styles.frame}
      data-fit={fit}
      {...(scrolls ? { tabIndex: 0, role: 'group', 'aria-label': `Picture of ${title}` } : {})}
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

/** The address of a picture in this page; `none` when the content is no picture, undefined while it is not known. */
function usePicture(content: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (content === undefined) return
    let made: string | undefined
    let gone = false
    void imageTypeOf(content).then((type) => {
      if (gone) return
      if (type !== undefined) made = URL.createObjectURL(new Blob([content], { type }))
      setAddress(made ?? 'none')
    })
    return () => {
      gone = true
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [content])
  return content === undefined ? undefined : address
}

function NoPicture({ fileName }: { fileName: string }) {
  return (
    <TileMessage>
      <EmptyState icon={<IconPhotoOff size={20} stroke={1.6} />} title="This is no picture">
        {fileName} cannot be shown. Choose a PNG, JPEG, WebP, GIF or SVG file.
      </EmptyState>
    </TileMessage>
  )
}

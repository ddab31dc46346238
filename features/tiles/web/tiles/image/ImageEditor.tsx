import { imageExtensions } from '@headwater/files/contract'
import type { FileReference } from '@headwater/tile-data/contract'
import { type FormItems, SchemaForm } from '@headwater/web-kit'
import { EditorTabs } from '../../editor/EditorTabs.tsx'
import { FileFields } from '../../editor/FileFields.tsx'
import { FileUpload } from '../../editor/FileUpload.tsx'
import type { TileEditorProps } from '../tile-view.ts'
import { imageTile, type ImageTile } from './image-tile.ts'
import { uploadedPicture } from './uploaded-picture.ts'

const items: FormItems<ImageTile> = [
  {
    field: 'fit',
    label: 'Fit',
    choices: {
      contain: 'Whole image',
      cover: 'Fill the tile',
      width: 'Fit width',
      none: 'Original size',
    },
  },
  {
    field: 'alternativeText',
    label: 'Alternative text',
    maxLength: 500,
    rows: 2,
    placeholder: 'Describes the image for screen readers',
  },
]

/** The settings of an image. */
export default function ImageEditor({ tile, onChange, commonFields }: TileEditorProps) {
  const image = imageTile.parse(tile)
  const show = (value: FileReference) => onChange({ source: { type: 'FILE', value } })
  return (
    <EditorTabs
      label="Image settings"
      tabs={{
        Data: (
          <>
            <FileFields extensions={imageExtensions} value={image.source.value} onChange={show} />
            <FileUpload kind={uploadedPicture} onUploaded={show} />
          </>
        ),
        Style: (
          <>
            {commonFields}
            <SchemaForm schema={imageTile} items={items} value={image} onChange={onChange} />
          </>
        ),
      }}
    />
  )
}

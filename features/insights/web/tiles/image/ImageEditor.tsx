import { useState } from 'react'
import { imageExtensions } from '@headwater/files/contract'
import { Select, Tabs, TextField } from '@headwater/web-kit'
import styles from '../../components/Editor.module.css'
import type { FileReference } from '../../../contract/index.ts'
import { FileFields } from '../../components/FileFields.tsx'
import { FileUpload } from '../../components/FileUpload.tsx'
import type { TileEditorProps } from '../tile-view.ts'
import { type ImageFit, imageTile } from './image-tile.ts'
import { uploadedPicture } from './uploaded-picture.ts'

const tabs = ['Data', 'Style'].map((name) => ({ value: name, label: name }))
const fitNames: { value: ImageFit; label: string }[] = [
  { value: 'contain', label: 'Whole picture' },
  { value: 'cover', label: 'Fill the tile' },
  { value: 'width', label: 'Fit width' },
  { value: 'none', label: 'Original size' },
]

/** The settings of an image. */
export default function ImageEditor({ tile, onChange, commonFields }: TileEditorProps) {
  const { source, fit, alternativeText } = imageTile.parse(tile)
  const [tab, setTab] = useState('Data')
  const show = (value: FileReference) => onChange({ source: { type: 'FILE', value } })
  return (
    <>
      <Tabs label="Image settings" value={tab} onChange={setTab} tabs={tabs} />
      <div className={styles.fields} role="tabpanel" aria-label={tab}>
        {tab === 'Data' ? (
          <>
            <FileFields extensions={imageExtensions} value={source.value} onChange={show} />
            <FileUpload kind={uploadedPicture} onUploaded={show} />
          </>
        ) : (
          <>
            {commonFields}
            <Select
              label="Fit"
              value={fit}
              options={fitNames}
              onChange={(next) => onChange({ fit: next ?? 'contain' })}
            />
            <TextField
              label="Alternative text"
              value={alternativeText}
              maxLength={500}
              rows={2}
              placeholder="Describes the picture for screen readers"
              onChange={(text) => onChange({ alternativeText: text }, 'alternativeText')}
            />
          </>
        )}
      </div>
    </>
  )
}

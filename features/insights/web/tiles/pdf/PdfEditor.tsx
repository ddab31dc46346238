import { useState } from 'react'
import { NumberField, Tabs } from '@headwater/web-kit'
import styles from '../../components/Editor.module.css'
import type { FileReference } from '../../../contract/index.ts'
import { FileFields } from '../../components/FileFields.tsx'
import { FileUpload } from '../../components/FileUpload.tsx'
import type { TileEditorProps } from '../tile-view.ts'
import { defaultScale, pdfTile, scaleBounds, uploadedPdf } from './pdf-tile.ts'

const tabs = ['Data', 'Style'].map((name) => ({ value: name, label: name }))

/** The settings of a PDF. */
export default function PdfEditor({ tile, onChange, commonFields }: TileEditorProps) {
  const { source, scale } = pdfTile.parse(tile)
  const [tab, setTab] = useState('Data')
  const show = (value: FileReference) => onChange({ source: { type: 'FILE', value } })
  return (
    <>
      <Tabs label="PDF settings" value={tab} onChange={setTab} tabs={tabs} />
      <div className={styles.fields} role="tabpanel" aria-label={tab}>
        {tab === 'Data' ? (
          <>
            <FileFields extensions={uploadedPdf.extensions} value={source.value} onChange={show} />
            <FileUpload kind={uploadedPdf} onUploaded={show} />
          </>
        ) : (
          <>
            {commonFields}
            <NumberField
              label="Scale in percent"
              value={scale}
              min={scaleBounds.least}
              max={scaleBounds.most}
              hint="100 is as wide as the tile."
              onChange={(percent) =>
                onChange({
                  scale: Math.min(
                    scaleBounds.most,
                    Math.max(scaleBounds.least, Math.round(percent ?? defaultScale)),
                  ),
                })
              }
            />
          </>
        )}
      </div>
    </>
  )
}

import { useState } from 'react'
import { NumberField, Tabs } from '@headwater/web-kit'
import styles from '../../components/Editor.module.css'
import { FileFields } from '../../components/FileFields.tsx'
import type { TileEditorProps } from '../tile-view.ts'
import { defaultScale, pdfTile, scaleBounds } from './pdf-tile.ts'

const tabs = ['Data', 'Style'].map((name) => ({ value: name, label: name }))

/** The settings of a PDF. */
export default function PdfEditor({ tile, onChange, commonFields }: TileEditorProps) {
  const { source, scale } = pdfTile.parse(tile)
  const [tab, setTab] = useState('Data')
  return (
    <>
      <Tabs label="Settings of the PDF" value={tab} onChange={setTab} tabs={tabs} />
      <div className={styles.fields} role="tabpanel" aria-label={tab}>
        {tab === 'Data' ? (
          <FileFields
            extensions={['pdf']}
            value={source.value}
            onChange={(value) => onChange({ source: { type: 'FILE', value } })}
          />
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

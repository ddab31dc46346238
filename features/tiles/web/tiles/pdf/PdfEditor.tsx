import type { FileReference } from '@headwater/tile-data/contract'
import { SchemaForm } from '@headwater/web-kit'
import { EditorTabs } from '../../editor/EditorTabs.tsx'
import { FileFields } from '../../editor/FileFields.tsx'
import { FileUpload } from '../../editor/FileUpload.tsx'
import type { TileEditorProps } from '../tile-view.ts'
import { pdfTile, uploadedPdf } from './pdf-tile.ts'

/** The settings of a PDF. */
export default function PdfEditor({ tile, onChange, commonFields }: TileEditorProps) {
  const pdf = pdfTile.parse(tile)
  const show = (value: FileReference) => onChange({ source: { type: 'FILE', value } })
  return (
    <EditorTabs
      label="PDF settings"
      tabs={{
        Data: (
          <>
            <FileFields extensions={uploadedPdf.extensions} value={pdf.source.value} onChange={show} />
            <FileUpload kind={uploadedPdf} onUploaded={show} />
          </>
        ),
        Style: (
          <>
            {commonFields}
            <SchemaForm
              schema={pdfTile}
              items={[{ field: 'scale', label: 'Scale (%)', hint: '100% fits the tile width.' }]}
              value={pdf}
              onChange={onChange}
            />
          </>
        ),
      }}
    />
  )
}

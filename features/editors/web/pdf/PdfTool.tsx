import { useState } from 'react'
import IconFileTypePdf from '@tabler/icons-react/dist/esm/icons/IconFileTypePdf.mjs'
import { Button, EmptyState, Form, Skeleton, TextField, type ToolProps } from '@headwater/web-kit'
import { Centered, FileContent, FileToolHeader } from '../components/FileContent.tsx'
import tool from '../components/Tool.module.css'
import { maxPdfBytes } from '../size-limits.ts'
import { type PdfPasswordPrompt, pdfProblem, type PDFDocumentProxy } from './open-pdf.ts'
import { PdfPages } from './PdfPages.tsx'
import styles from './PdfTool.module.css'
import { usePdf } from './use-pdf.ts'

/** Limits and step of the zoom; 1 is the size on paper. */
const zoomBounds = { min: 0.25, max: 3, step: 0.25 } as const
/** Pixels per point: CSS has 96 pixels per inch, PDF 72 points. */
const pixelsPerPoint = 96 / 72

/** Displays the pages of a PDF file. */
export default function PdfTool({ id }: ToolProps) {
  return (
    <FileContent fid={id} form="blob" limitBytes={maxPdfBytes} confirmsLarge>
      {(file, content) => (
        <>
          <FileToolHeader file={file} />
          {content.size === 0 ? (
            <Centered>
              <EmptyState icon={<IconFileTypePdf size={20} stroke={1.6} />} title="File is empty." />
            </Centered>
          ) : (
            <Pdf name={file.fileName} content={content} />
          )}
        </>
      )}
    </FileContent>
  )
}

function Pdf({ name, content }: { name: string; content: Blob }) {
  const state = usePdf(content, { promptsForPassword: true })
  if (state?.prompt !== undefined) return <Password prompt={state.prompt} />
  if (state?.problem !== undefined)
    return (
      <Centered>
        <EmptyState icon={<IconFileTypePdf size={20} stroke={1.6} />} title="This PDF cannot be displayed">
          {pdfProblem(state.problem, name)}
        </EmptyState>
      </Centered>
    )
  if (state?.pdf === undefined)
    return (
      <Centered>
        <Skeleton width={320} height={400} />
      </Centered>
    )
  return <OpenPdf name={name} pdf={state.pdf} />
}

function OpenPdf({ name, pdf }: { name: string; pdf: PDFDocumentProxy }) {
  const [zoom, setZoom] = useState(1)
  const [page, setPage] = useState(1)
  return (
    <div className={tool.tool}>
      <div className={tool.bar}>
        <span>
          Page {page} of {pdf.numPages}
        </span>
        <span className={tool.spring} />
        <label className={styles.zoom}>
          Zoom
          <input
            type="range"
            {...zoomBounds}
            value={zoom}
            aria-valuetext={percent(zoom)}
            onChange={(event) => setZoom(event.target.valueAsNumber)}
          />
          <output className={styles.percent}>{percent(zoom)}</output>
        </label>
      </div>
      <div className={styles.desk}>
        <PdfPages
          pdf={pdf}
          label={`Pages of ${name}`}
          widthOf={({ width }) => width * pixelsPerPoint * zoom}
          onPage={setPage}
        />
      </div>
    </div>
  )
}

function percent(zoom: number): string {
  return `${zoom * 100}%`
}

function Password({ prompt }: { prompt: PdfPasswordPrompt }) {
  const [password, setPassword] = useState('')
  const [submitted, setSubmitted] = useState<PdfPasswordPrompt>()
  const isBusy = submitted === prompt
  return (
    <Centered>
      <div className={styles.password}>
        <Form
          onSubmit={() => {
            setSubmitted(prompt)
            prompt.submit(password)
          }}
        >
          <TextField
            type="password"
            label="Password"
            hint="Enter the password to open this PDF file."
            error={prompt.isWrong && !isBusy ? 'Invalid password. Please try again.' : null}
            autoFocus
            autoComplete="off"
            value={password}
            onChange={setPassword}
          />
          <Button variant="primary" type="submit" busy={isBusy} disabled={password === ''}>
            Open
          </Button>
        </Form>
      </div>
    </Centered>
  )
}

import { useMemo, useState } from 'react'
import { Text } from '@codemirror/state'
import { Tabs, type ToolProps } from '@headwater/web-kit'
import { HtmlFrame } from '../components/HtmlFrame.tsx'
import tool from '../components/Tool.module.css'
import { Code } from '../text/CodeTool.tsx'
import type { OpenText, TextParts } from '../text/EditedText.tsx'
import { TextTool } from '../text/TextTool.tsx'
import { hasEventHandlers, lostMarkup, splitDocument } from './html-document.ts'
import { RichText } from './RichText.tsx'
import { asRichText } from './rich-text.ts'

/** Maximum length of a page that can be edited as rich text, in characters. */
const maxRichCharacters = 500_000

/**
 * Editor of HTML pages, as rich text or as code. For users without write access, pages that cannot be shown as rich text are
 * displayed in a sandbox.
 */
export default function HtmlTool(props: ToolProps) {
  return <TextTool {...props} parts={htmlParts} />
}

/** How the text tool displays HTML pages. */
export const htmlParts: TextParts = { render: (open) => <Html {...open} /> }

const richText = { value: 'rich', label: 'Rich text' }
const preview = { value: 'preview', label: 'Preview' }
const code = { value: 'code', label: 'Code' }

function Html(open: OpenText) {
  // Each view starts from the current text at the time it is opened.
  const [initialText, setInitialText] = useState(open.initial)
  const refusal = useMemo(() => refusalOf(initialText), [initialText])
  const isRich = refusal === undefined
  const tabs = [isRich || open.editable ? richText : preview, code]
  const [chosen, setChosen] = useState(isRich || !open.editable ? tabs[0]!.value : code.value)
  const view = open.editable && !isRich ? code.value : chosen
  return (
    <div className={tool.tool}>
      <div className={tool.bar}>
        <Tabs
          label="View"
          tabs={tabs}
          value={view}
          onChange={(value) => {
            setInitialText(open.text)
            setChosen(value)
          }}
        />
        {isRich || !open.editable ? null : <span role="note">{refusal}</span>}
      </div>
      {view === code.value ? (
        <Code {...open} initial={initialText} />
      ) : view === preview.value ? (
        <HtmlFrame title={`Preview of ${open.fileName}`} html={open.text.toString()} />
      ) : (
        <RichBody {...open} initialText={initialText} />
      )}
    </div>
  )
}

function RichBody({ fileName, editable, initialText, onChange }: OpenText & { initialText: Text }) {
  const { before, body, after } = useMemo(() => splitDocument(initialText.toString()), [initialText])
  return (
    <RichText
      key={body}
      initial={body}
      label={`Text of ${fileName}`}
      editable={editable}
      onChange={(html) => onChange(Text.of((before + html + after).split('\n')))}
    />
  )
}

/** Returns the reason why a page can be edited only as code; undefined if rich text preserves all of it. */
function refusalOf(text: Text): string | undefined {
  if (text.length > maxRichCharacters)
    return `Only pages of up to ${maxRichCharacters.toLocaleString('en-US')} characters can be edited as rich text.`
  const { body } = splitDocument(text.toString())
  // The browser reports handlers when it parses them, although it never runs them.
  const lost = hasEventHandlers(body) ? ['event handlers'] : lostMarkup(body, asRichText(body))
  if (lost.length === 0) return undefined
  const named = lost.slice(0, 3).join(', ')
  return `This page is edited as code, because rich text would remove ${named}${lost.length > 3 ? ' and more' : ''}.`
}

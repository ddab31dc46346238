import { useState } from 'react'
import { Tabs, type ToolProps } from '@headwater/web-kit'
import { HtmlFrame } from '../components/HtmlFrame.tsx'
import tool from '../components/Tool.module.css'
import { Code } from '../text/CodeTool.tsx'
import type { OpenText, TextParts } from '../text/EditedText.tsx'
import { TextTool } from '../text/TextTool.tsx'

/** Editor of FreeMarker templates, with a preview of their markup. */
export default function FtlTool(props: ToolProps) {
  return <TextTool {...props} parts={ftlParts} />
}

/** A FreeMarker template as a kind of text. */
export const ftlParts: TextParts = { render: (open) => <Template {...open} /> }

const tabs = [
  { value: 'code', label: 'Code' },
  { value: 'preview', label: 'Preview' },
] as const

function Template(open: OpenText) {
  const [view, setView] = useState<string>('code')
  // After a preview, the code editor is created again from the current text.
  const [initial, setInitial] = useState(open.initial)
  return (
    <div className={tool.tool}>
      <div className={tool.bar}>
        <Tabs
          label="View"
          tabs={tabs}
          value={view}
          onChange={(value) => {
            setInitial(open.text)
            setView(value)
          }}
        />
      </div>
      {view === 'code' ? (
        <Code {...open} initial={initial} />
      ) : (
        <>
          <p className={tool.bar} role="note">
            Directives and expressions are displayed as text. This version does not evaluate them.
          </p>
          <HtmlFrame
            title={`Preview of ${open.fileName}`}
            html={withVisibleDirectives(open.text.toString())}
          />
        </>
      )}
    </div>
  )
}

/** Returns a template as HTML in which its directives, such as `<#if x>`, are visible text. */
function withVisibleDirectives(template: string): string {
  return template.replaceAll(/<(\/?[#@][^>]*)>/g, (_, directive: string) => `&lt;${directive}&gt;`)
}

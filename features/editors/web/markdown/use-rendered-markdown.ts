import { useEffect, useMemo, useState } from 'react'
import { renderBeside, renderQuickly, type RenderedText } from './render-markdown.ts'

/**
 * Returns rendered markdown; the previous result while a long text is being rendered.
 * @param settledMs pause before a long text is rendered, for texts that are being typed, in ms; default 0
 */
export function useRenderedMarkdown(
  text: string | undefined,
  { settledMs = 0 }: { settledMs?: number } = {},
): RenderedText | undefined {
  const quick = useMemo(() => (text === undefined ? undefined : renderQuickly(text)), [text])
  const [beside, setBeside] = useState<RenderedText>()
  useEffect(() => {
    if (text === undefined || quick !== undefined) return
    const ended = new AbortController()
    const timer = setTimeout(async () => {
      const rendered = await renderBeside(text, ended.signal)
      if (!ended.signal.aborted) setBeside(rendered)
    }, settledMs)
    return () => {
      clearTimeout(timer)
      ended.abort()
    }
  }, [text, quick, settledMs])
  return text === undefined ? undefined : (quick ?? beside)
}

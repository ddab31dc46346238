import { type ComponentType, useState } from 'react'
import {
  closeTool,
  ErrorBoundary,
  type OpenedTool,
  PartBoundary,
  ToolFrame,
  type ToolProps,
} from '@headwater/web-kit'
import { PageSkeleton } from './PageSkeleton.tsx'

/** A tool in its frame. */
export default function Tool({
  opened,
  compact = false,
  Content,
}: {
  opened: OpenedTool
  compact?: boolean | undefined
  Content: ComponentType<ToolProps>
}) {
  const [closing, setClosing] = useState(false)
  const close = () => setClosing(true)
  return (
    <ToolFrame title={opened.title} compact={compact} closing={closing} onClose={close} onClosed={closeTool}>
      <ErrorBoundary resetKey={opened.tool}>
        <PartBoundary fallback={<PageSkeleton />}>
          <Content {...opened} onClose={close} />
        </PartBoundary>
      </ErrorBoundary>
    </ToolFrame>
  )
}

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
export default function Tool({ opened, Content }: { opened: OpenedTool; Content: ComponentType<ToolProps> }) {
  const [closing, setClosing] = useState(false)
  const close = () => setClosing(true)
  return (
    <ToolFrame title={opened.title} closing={closing} onClose={close} onClosed={closeTool}>
      <ErrorBoundary resetKey={opened.tool}>
        <PartBoundary fallback={<PageSkeleton />}>
          <Content {...opened} onClose={close} />
        </PartBoundary>
      </ErrorBoundary>
    </ToolFrame>
  )
}

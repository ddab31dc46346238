import { type ComponentType, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { useCan } from '@headwater/accounts/web'
import {
  closeTool,
  ErrorBoundary,
  lazyPart,
  type OpenedTool,
  PartBoundary,
  ToolFrame,
  type ToolProps,
  useOpenedTool,
} from '@headwater/web-kit'
import { tools } from '../rooms.ts'
import { PageSkeleton } from './PageSkeleton.tsx'

const contents: Record<string, ComponentType<ToolProps>> = Object.fromEntries(
  tools.map((tool) => [tool.id, lazyPart(tool.lazy)]),
)

/** The tool that is open over the page, if any. Another page closes it. */
export function ToolModals() {
  const opened = useOpenedTool()
  const can = useCan()
  const { pathname } = useLocation()
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current !== pathname) closeTool()
    before.current = pathname
  }, [pathname])
  useEffect(() => closeTool, [])
  const tool = tools.find((one) => one.id === opened?.tool)
  const Content = opened === undefined ? undefined : contents[opened.tool]
  if (opened === undefined || tool === undefined || Content === undefined) return null
  const { access } = tool
  if (access !== undefined && !can(access.resource, access.mode, access.parent)) return null
  return <Tool key={`${opened.tool} ${opened.id}`} opened={opened} Content={Content} />
}

function Tool({ opened, Content }: { opened: OpenedTool; Content: ComponentType<ToolProps> }) {
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

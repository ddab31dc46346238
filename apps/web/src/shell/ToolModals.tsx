import { type ComponentType, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { useCan } from '@headwater/accounts/web'
import { closeTool, lazyPart, PartBoundary, type ToolProps, useOpenedTool } from '@headwater/web-kit'
import { tools } from '../features.ts'

const Tool = lazyPart(() => import('./Tool.tsx'))

const contents: Record<string, ComponentType<ToolProps>> = Object.fromEntries(
  tools.map((tool) => [tool.id, lazyPart(tool.lazy)]),
)

/** The open tool over the page, if any. Opening another page closes it. */
export function ToolModals() {
  const opened = useOpenedTool()
  const can = useCan()
  const { pathname } = useLocation()
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current !== pathname) closeTool()
    before.current = pathname
  }, [pathname])
  useEffect(() => Tool.preloadWhenIdle(), [])
  useEffect(() => closeTool, [])
  const tool = tools.find((one) => one.id === opened?.tool)
  const Content = opened === undefined ? undefined : contents[opened.tool]
  if (opened === undefined || tool === undefined || Content === undefined) return null
  const { access } = tool
  if (access !== undefined && !can(access.resource, access.mode, access.parent)) return null
  return (
    <PartBoundary fallback={null}>
      <Tool key={`${opened.tool} ${opened.id}`} opened={opened} compact={tool.compact} Content={Content} />
    </PartBoundary>
  )
}

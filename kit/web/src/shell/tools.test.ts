import { expect, test } from 'vitest'
import { closeTool, openedTool, openTool } from './tools.ts'

test('DP-185 closing a tool resets all it was opened with', () => {
  openTool({ tool: 'code', id: 'a', title: 'a.py', editable: true })
  closeTool()
  expect(openedTool()).toBe(undefined)
  openTool({ tool: 'image', id: 'b', title: 'b.png' })
  expect(openedTool()).toEqual({ tool: 'image', id: 'b', title: 'b.png' })
  closeTool()
})

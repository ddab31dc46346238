import { expect, test } from 'vitest'
import { closeTool, openedTool, openTool } from './tools.ts'

test('DP-185 closing any tool resets all of its values', () => {
  for (const tool of ['image', 'pdf', 'markdown', 'code', 'public-views']) {
    openTool({ tool, id: 'a', title: 'a.py', editable: true })
    expect(openedTool()).toEqual({ tool, id: 'a', title: 'a.py', editable: true })
    closeTool()
    expect(openedTool()).toBe(undefined)
  }
  openTool({ tool: 'image', id: 'b', title: 'b.png' })
  expect(openedTool()).toEqual({ tool: 'image', id: 'b', title: 'b.png' })
  closeTool()
})

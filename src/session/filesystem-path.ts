import { isAbsolute, normalize } from 'node:path/posix';
import { McpError } from '../errors.ts';

/** The one spelling of a path inside a root: `.` for the root, else names with single slashes between them. */
export function parseFilesystemPath(path: string): string {
  if (path.includes('\0')) throw refused(path, 'it contains a NUL character');
  if (isAbsolute(path)) throw refused(path, 'it is absolute; give it relative to the root');
  const normal = normalize(path);
  if (normal === '..' || normal.startsWith('../')) throw refused(path, 'it leads out of the root');
  return normal.endsWith('/') && normal.length > 1 ? normal.slice(0, -1) : normal;
}

/** The error of a path that may not be used. */
export function refused(path: string, reason: string): McpError {
  return new McpError('RESOURCE_FAILED', `the path ${JSON.stringify(path)} is refused: ${reason}`);
}

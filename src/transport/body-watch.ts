/** The same response, whose body tells of its end, and of the error if it ended in one, before its reader learns of it. */
export function watchingBody(response: Response, onEnd: (error?: unknown) => void): Response {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
  if (!reader) return response;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          return;
        }
        onEnd();
        controller.close();
      } catch (error) {
        onEnd(error);
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

/** Whether a response is a stream of events. */
export function isEventStream(response: Response): boolean {
  return /^\s*text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
}

import { answerTo } from './answers.mjs';

/** The tiny server as an object of this process. */
export function createTinyServer() {
  let channel;
  return {
    async connect(end) {
      channel = end;
      channel.onmessage = (message) => {
        const answer = answerTo(message);
        if (answer) void channel.send(answer);
      };
      await channel.start();
    },
    async close() {
      await channel?.close();
    },
  };
}

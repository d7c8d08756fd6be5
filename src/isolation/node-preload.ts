/**
 * A script for Node servers in a sandbox: Node heeds HTTPS_PROXY by itself only since 22.21 and 24.5; without it neither fetch
 * nor https finds the way out. It is loaded with --require, which every Node knows.
 */
export const NODE_PRELOAD = `'use strict';
const [major, minor] = process.versions.node.split('.').map(Number);
const isAble = major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
const proxy = process.env.HTTPS_PROXY;
if (!isAble && proxy) {
  const http = require('node:http');
  const https = require('node:https');
  const net = require('node:net');
  const tls = require('node:tls');
  const { hostname, port, host: proxyHost } = new URL(proxy);
  const direct = new Set((process.env.NO_PROXY || '').split(','));
  const isDirect = (host, to) => direct.has(host) || \`\${host}:\${to}\` === proxyHost;

  /** A connection through the proxy, as if it had been made directly. */
  const tunnel = (host, to, done) => {
    const name = net.isIPv6(host) ? \`[\${host}]\` : host;
    const asking = http.request({ host: hostname, port, method: 'CONNECT', path: \`\${name}:\${to}\`, agent: false });
    asking.once('connect', (answer, socket, head) => {
      if (head.length > 0) socket.unshift(head);
      if (answer.statusCode === 200) return done(null, socket);
      socket.destroy();
      done(Object.assign(new Error(\`\${name}:\${to} is blocked by the network policy\`), { code: 'ECONNREFUSED' }));
    });
    asking.once('error', done);
    asking.end();
  };
  const secured = (socket, options, done) => {
    const secure = tls.connect({ ...options, socket, host: undefined, port: undefined, path: undefined });
    secure.once('error', done);
    secure.once('secureConnect', () => {
      secure.off('error', done);
      done(null, secure);
    });
  };

  for (const { Agent, isSecure } of [{ Agent: http.Agent, isSecure: false }, { Agent: https.Agent, isSecure: true }]) {
    const original = Agent.prototype.createConnection;
    Agent.prototype.createConnection = function createConnection(options, done) {
      const { host = 'localhost', port: to, socketPath } = options;
      if (socketPath || typeof done !== 'function' || isDirect(host, to)) return original.call(this, options, done);
      tunnel(host, to, (error, socket) => {
        if (error) return done(error);
        if (!isSecure) return done(null, socket);
        const servername = options.servername || (net.isIP(host) ? '' : host);
        secured(socket, { ...options, servername }, done);
      });
      return undefined;
    };
  }

  const dispatcher = Symbol.for('undici.globalDispatcher.1');
  const install = () => {
    globalThis.fetch = fetch;
    // Looking at it loads the library behind fetch, and with it its agent.
    void globalThis.Response;
    const Agent = globalThis[dispatcher] && globalThis[dispatcher].constructor;
    if (!Agent) return;
    const connect = (options, done) => {
      const to = options.port || (options.protocol === 'https:' ? 443 : 80);
      const withTls = (error, socket) => {
        if (error || options.protocol !== 'https:') return done(error, socket);
        const servername = options.servername || (net.isIP(options.hostname) ? '' : options.hostname);
        secured(socket, { servername, ALPNProtocols: ['http/1.1'] }, done);
      };
      if (!isDirect(options.hostname, to)) return tunnel(options.hostname, to, withTls);
      const socket = net.connect(to, options.hostname);
      socket.once('error', withTls);
      socket.once('connect', () => {
        socket.off('error', withTls);
        withTls(null, socket);
      });
    };
    globalThis[dispatcher] = new Agent({ connect });
  };
  const fetch = globalThis.fetch;
  if (fetch) {
    globalThis.fetch = function fetchThroughProxy(...given) {
      install();
      return fetch.apply(globalThis, given);
    };
  }
}
`;

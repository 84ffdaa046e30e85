"""Two policies play Quarto in PettingZoo's loop."""

import pettingzoo

import ludus

env = pettingzoo.make("aec", "ludus/quarto-v0", render_mode="ansi")
policy = ludus.make_policy("random", "quarto")

env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    if terminated or truncated:
        print(f"{agent} ends with {reward:+}")
        env.step(None)
    else:
        env.step(policy(env))  # or your own choice among observation["action_mask"]

print(env.render())

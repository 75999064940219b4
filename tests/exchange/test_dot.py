from dfst.exchange.dot import to_dot
from dfst.teachers.find import find_task
from dfst.world.machine import GridMachine, Rule
from dfst.world.moves import Move
from tests.cases import ALPHABET, random_machine


def test_every_rule_is_drawn():
    machine = find_task("mult2").machine
    text = to_dot(machine)
    labels = "".join(line for line in text.splitlines() if "->" in line)
    assert labels.count("→") == sum(1 for _ in machine.rules())
    assert text.startswith('digraph "mult2" {')


def test_hostile_names_are_escaped():
    layout = random_machine(__import__("random").Random(1)).layout
    rules = [Rule('a"]; evil [x="', "0", "0", Move.L, 'a"]; evil [x="')]
    text = to_dot(GridMachine.from_rules(rules, alphabet=ALPHABET, layout=layout, start=rules[0].state))
    assert '"a\\"]; evil [x=\\""' in text

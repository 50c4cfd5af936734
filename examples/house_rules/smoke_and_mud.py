"""House rules as code: `opfor orders BATTLE --rules examples/house_rules/smoke_and_mud.py`.

One function for each thing that is asked; each rule that they name is a switch, here own.smoke_discipline and so on.
"""

RULES = {
    "smoke_discipline": "Who stands in smoke shoots worse at long range: +1, with missiles +2.",
    "deep_mud": "Mud costs everything but hovercraft two MP more.",
    "winded": "Who ran gets 2 heat at the end of the movement phase.",
    "wet_ground": "Rolls for skidding are one easier in swamp.",
}


def to_hit(shot):
    """What is added to a shot: (rule, value) each."""
    if shot.range != "long" or "smoke" not in shot.attacker.terrain:
        return []
    return [("smoke_discipline", 2 if shot.weapon_class == "missile" else 1)]


def movement_cost(step):
    """What a step costs more: it may go by nothing but what is told of the step."""
    if "mud" in step.terrain and step.motion != "hover" and not step.paved:
        return [("deep_mud", 2)]
    return []


def piloting(roll):
    """What is added to a piloting roll."""
    if roll.reason == "skid" and "swamp" in roll.unit.terrain:
        return [("wet_ground", -1)]
    return []


def end_of_phase(play, phase):
    """What happens at the end of a phase; everything asked of `play` names the rule."""
    if phase == "movement":
        for unit in play.units():
            if unit.moved == "run" and unit.kind == "mech":
                play.heat(unit.id, 2, "winded")
